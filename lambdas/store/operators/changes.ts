import {
  CognitoIdentityProviderClient,
  InvalidParameterException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../../contract/endpoint.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { CuevaultError } from '../../core/errors.ts';
import { auditChange, type Change } from '../audit.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsError, mapAwsErrors } from '../failures.ts';
import type { Table } from '../table.ts';
import { ConflictError, transact } from '../transactions.ts';
import {
  disableOperator,
  enableOperator,
  findOperator,
  invite,
  type Operator,
  resetSignIn,
  setGroup,
  type UserPool,
} from './user-pool.ts';

/** Connects to the user pool that the environment names (`contract/functions/environment.ts`). */
export const connectUserPool = (environment: NodeJS.ProcessEnv = process.env): UserPool => ({
  client: new CognitoIdentityProviderClient(CLIENT_OPTIONS),
  userPoolId: environment[ENVIRONMENT.userPool] ?? '',
});

/** Where operators and the audit log are. */
export interface Stores {
  readonly pool: UserPool;
  readonly table: Table;
}

/** One change of an operator. */
export type OperatorChange =
  | { readonly group: Role }
  | { readonly enabled: boolean }
  | { readonly resetSignIn: true };

const mapped = (error: unknown): never => {
  if (error instanceof InvalidParameterException)
    throw new CuevaultError('invalid_request', 'Cognito does not accept this e-mail address.', {
      cause: error,
    });
  throw mapAwsError(error);
};

const isSame = ({ operatorId, email }: Operator, actor: string): boolean =>
  [operatorId, email.toLowerCase()].includes(actor.toLowerCase());

const isAdministrator = (operator: Operator | undefined): boolean =>
  operator?.group === 'admin' && operator.status !== 'disabled';

// An access token is valid for ten minutes, but nobody may invite an accomplice after they were disabled.
const requireAdministrator = async ({ pool }: Stores, { actor }: Change): Promise<void> => {
  if (isAdministrator(await findOperator(pool, actor))) return;
  throw new CuevaultError('forbidden', 'You are no longer an administrator.');
};

const required = async ({ pool }: Stores, name: string): Promise<Operator> => {
  const operator = await findOperator(pool, name);
  if (operator === undefined) throw new CuevaultError('operator_not_found', 'There is no such operator.');
  return operator;
};

// Before the change: there is no change without an entry, but an entry without its change if Cognito fails afterwards.
const audit = (
  { table }: Stores,
  change: Change,
  verb: string,
  email: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<unknown> =>
  transact(table, [
    auditChange(table, change, { action: `operator.${verb}`, subject: email, name: email, details }),
  ]);

const entryOf = (operator: Operator, wanted: OperatorChange): [string, Readonly<Record<string, unknown>>] => {
  if ('group' in wanted) return ['change-group', { from: operator.group, to: wanted.group }];
  if ('enabled' in wanted) return [wanted.enabled ? 'enable' : 'disable', {}];
  return ['reset', {}];
};

const isDone = ({ group, status }: Operator, wanted: OperatorChange): boolean =>
  'group' in wanted
    ? wanted.group === group
    : 'enabled' in wanted && wanted.enabled === (status !== 'disabled');

const apply = async (pool: UserPool, operator: Operator, wanted: OperatorChange): Promise<void> => {
  const { operatorId } = operator;
  if ('group' in wanted) await setGroup(pool, operatorId, wanted.group);
  else if (!('enabled' in wanted)) await resetSignIn(pool, operator);
  else if (wanted.enabled) await enableOperator(pool, operatorId);
  else await disableOperator(pool, operatorId);
};

// Two administrators who demote each other at the same time: whoever is no longer one takes the change back.
const keepAnAdministrator = async (stores: Stores, change: Change, before: Operator): Promise<void> => {
  if (!isAdministrator(before)) return;
  if (isAdministrator(await findOperator(stores.pool, change.actor))) return;
  await setGroup(stores.pool, before.operatorId, 'admin');
  await enableOperator(stores.pool, before.operatorId);
  throw new ConflictError('list of operators');
};

const update = async (
  stores: Stores,
  change: Change,
  operatorId: string,
  wanted: OperatorChange,
): Promise<Operator> => {
  await requireAdministrator(stores, change);
  const operator = await required(stores, operatorId);
  if (isSame(operator, change.actor))
    throw new CuevaultError('forbidden', 'You cannot change your own account. Ask another administrator.');
  if (isDone(operator, wanted)) return operator;
  const [verb, details] = entryOf(operator, wanted);
  await audit(stores, change, verb, operator.email, details);
  await apply(stores.pool, operator, wanted);
  await keepAnAdministrator(stores, change, operator);
  return required(stores, operatorId);
};

/**
 * Changes another operator. Since nobody changes their own account, an administrator always remains. Errors:
 * `operator_not_found`, `forbidden` for oneself or if the actor is no longer an administrator, `changed_meanwhile`,
 * `unavailable`.
 */
export const updateOperator = (...args: Parameters<typeof update>): Promise<Operator> =>
  mapAwsErrors(update(...args));

const add = async (stores: Stores, change: Change, email: string, group: Role): Promise<Operator> => {
  await requireAdministrator(stores, change);
  const exists = new CuevaultError('operator_exists', `${email} is an operator already.`);
  if ((await findOperator(stores.pool, email)) !== undefined) throw exists;
  await audit(stores, change, 'invite', email, { group });
  if (!(await invite(stores.pool, email, group))) throw exists;
  return required(stores, email);
};

/**
 * Invites an operator. Errors: `operator_exists`, `invalid_request` for an address that Cognito does not accept,
 * `forbidden` if the actor is no longer an administrator, `unavailable`.
 */
export const inviteOperator = (...args: Parameters<typeof add>): Promise<Operator> =>
  add(...args).catch(mapped);

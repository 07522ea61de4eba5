import {
  CognitoIdentityProviderClient,
  InvalidParameterException,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Role } from '../../../contract/endpoint.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { CuevaultError, isCuevaultError } from '../../core/errors.ts';
import type { Operator } from '../../core/operators.ts';
import { auditChange, type Change } from '../audit.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsError, mapAwsErrors } from '../failures.ts';
import type { Table } from '../table.ts';
import { transact } from '../transactions.ts';
import { allOperators, findOperator, writeOperator } from './operators.ts';
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  findUser,
  resetSignIn,
  type User,
  type UserPool,
  usersOf,
} from './user-pool.ts';

/** Connects to the user pool that the environment names (`contract/functions/environment.ts`). */
export const connectUserPool = (environment: NodeJS.ProcessEnv = process.env): UserPool => ({
  client: new CognitoIdentityProviderClient(CLIENT_OPTIONS),
  userPoolId: environment[ENVIRONMENT.userPool] ?? '',
});

/** Who somebody is, and what they may do. */
export interface Stores {
  readonly pool: UserPool;
  readonly table: Table;
}

export type OperatorChange =
  | { readonly group: Role }
  | { readonly enabled: boolean }
  | { readonly resetSignIn: true };

/** An operator as lists show them. */
export interface OperatorRow extends Pick<Operator, 'operatorId' | 'email' | 'group'> {
  /** `pending`: has a temporary password and has not signed in with it. Without a user, nobody can sign in. */
  readonly status: 'active' | 'pending' | 'disabled';
}

const unknown = () => new CuevaultError('operator_not_found', 'There is no such operator.');

const mapped = (error: unknown): never => {
  if (error instanceof InvalidParameterException)
    throw new CuevaultError('invalid_request', 'Cognito does not accept this e-mail address.', {
      cause: error,
    });
  throw error instanceof UserNotFoundException ? unknown() : mapAwsError(error);
};

const rowOf = ({ operatorId, email, group, status }: Operator, user: User | undefined): OperatorRow => {
  const isActive = status === 'active' && user?.enabled === true;
  return {
    ...{ operatorId, email, group },
    status: isActive ? (user.isPending ? 'pending' : 'active') : 'disabled',
  };
};

const shown = async ({ pool, table }: Stores, operatorId: string): Promise<OperatorRow> => {
  const [operator, user] = await Promise.all([findOperator(table, operatorId), findUser(pool, operatorId)]);
  if (operator === undefined) throw unknown();
  return rowOf(operator, user);
};

/** All operators, by address. Errors: `integrity`, `unavailable`. */
export const listOperators = async ({ pool, table }: Stores): Promise<OperatorRow[]> => {
  const [operators, users] = await Promise.all([allOperators(table), mapAwsErrors(usersOf(pool))]);
  return operators
    .map((operator) => rowOf(operator, users.get(operator.operatorId)))
    .sort((a, b) => a.email.localeCompare(b.email, 'en'));
};

const requireUser = async (pool: UserPool, name: string): Promise<User> => {
  const user = await findUser(pool, name);
  if (user === undefined) throw unknown();
  return user;
};

const reset = async ({ pool, table }: Stores, change: Change, user: User, email: string, print = false) => {
  const entry = { action: 'operator.reset', subject: email, name: email };
  await transact(table, [...(change.requires ?? []), auditChange(table, change, entry)]);
  return resetSignIn(pool, user, print);
};

// What takes something away begins with the record, which counts from the next call on, whether or not Cognito answers.
// What gives something ends with it: a user without a record may do nothing.
const apply = async (stores: Stores, change: Change, seen: Operator, wanted: OperatorChange) => {
  const { pool, table } = stores;
  const { operatorId, group, status } = seen;
  if ('group' in wanted) {
    if (wanted.group === group) return;
    const details = { from: group, to: wanted.group };
    const next = { ...seen, group: wanted.group };
    await writeOperator(table, change, seen, next, { action: 'operator.change-group', details });
  } else if ('resetSignIn' in wanted) {
    await reset(stores, change, await requireUser(pool, operatorId), seen.email);
  } else if (wanted.enabled) {
    await enableUser(pool, operatorId);
    if (status !== 'active')
      await writeOperator(table, change, seen, { ...seen, status: 'active' }, { action: 'operator.enable' });
  } else {
    const next = { ...seen, status: 'disabled' } as const;
    if (status !== 'disabled') await writeOperator(table, change, seen, next, { action: 'operator.disable' });
    // Also if the record says so already: Cognito may not have answered the call before.
    await disableUser(pool, operatorId);
  }
};

const update = async (stores: Stores, change: Change, operatorId: string, wanted: OperatorChange) => {
  const seen = await findOperator(stores.table, operatorId);
  if (seen === undefined || seen.status === 'removed') throw unknown();
  if (operatorId === change.actor.id)
    throw new CuevaultError('forbidden', 'You cannot change your own account. Ask another administrator.');
  await apply(stores, change, seen, wanted);
  return shown(stores, operatorId);
};

/**
 * Changes another operator. Since nobody changes their own account, and the transaction requires that the actor still is
 * an administrator, one always remains. Errors: `operator_not_found`, `forbidden` for oneself or if the actor is no
 * longer an administrator, `changed_meanwhile`, `unavailable`.
 */
export const updateOperator = (...args: Parameters<typeof update>): Promise<OperatorRow> =>
  update(...args).catch(mapped);

const invite = async (stores: Stores, change: Change, email: string, group: Role): Promise<OperatorRow> => {
  const { pool, table } = stores;
  const { user, isNew } = await createUser(pool, email);
  const { operatorId } = user;
  const seen = isNew ? undefined : await findOperator(table, operatorId);
  if (seen !== undefined && seen.status !== 'removed')
    throw new CuevaultError('operator_exists', `${email} is an operator already.`);
  if (!isNew) {
    await enableUser(pool, operatorId);
    // Whoever has made this user may know the password.
    await resetSignIn(pool, user);
  }
  const invited = { invitedAt: change.at.toISOString(), invitedBy: change.actor.name };
  const next = { operatorId, email, group, status: 'active', identity: 'native', ...invited } as const;
  await writeOperator(table, change, seen, next, { action: 'operator.invite', details: { group } });
  return shown(stores, operatorId);
};

/**
 * Invites an operator: first a user of the pool, who may do nothing, then the record. Of several invitations of one
 * address, one succeeds. Errors: `operator_exists`, `invalid_request` for an address that Cognito does not accept,
 * `forbidden` if the actor is no longer an administrator, `unavailable`.
 */
export const inviteOperator = (...args: Parameters<typeof invite>): Promise<OperatorRow> =>
  invite(...args).catch(mapped);

/** Changes the operator with an address. Errors: as `updateOperator`. */
export const updateByAddress = async (
  stores: Stores,
  change: Change,
  email: string,
  wanted: OperatorChange,
): Promise<OperatorRow> => {
  const { operatorId } = await requireUser(stores.pool, email).catch(mapped);
  return updateOperator(stores, change, operatorId, wanted);
};

/**
 * Invites an operator, or enables an existing one and moves them to the group. Returns whether they were invited.
 * Errors: as `inviteOperator`, and `changed_meanwhile`.
 */
export const addOperator = async (
  stores: Stores,
  change: Change,
  email: string,
  group: Role,
): Promise<boolean> => {
  try {
    await inviteOperator(stores, change, email, group);
    return true;
  } catch (error) {
    if (!isCuevaultError(error, 'operator_exists')) throw error;
  }
  await updateByAddress(stores, change, email, { group });
  await updateByAddress(stores, change, email, { enabled: true });
  return false;
};

/**
 * Replaces the password of the operator with an address by a temporary one, which is mailed, or returned with `print`.
 * Errors: `operator_not_found`, `unavailable`.
 */
export const resetByAddress = async (
  stores: Stores,
  change: Change,
  email: string,
  print: boolean,
): Promise<string | undefined> => {
  const user = await requireUser(stores.pool, email).catch(mapped);
  return reset(stores, change, user, email, print).catch(mapped);
};

/**
 * Removes the operator with an address, and their user. Errors: `operator_not_found`, `changed_meanwhile`,
 * `unavailable`.
 */
export const removeByAddress = async (stores: Stores, change: Change, email: string): Promise<void> => {
  const { pool, table } = stores;
  const isMeant = (operator: Operator) => operator.email.toLowerCase() === email.toLowerCase();
  const found = (await allOperators(table)).filter(isMeant);
  for (const seen of found)
    await writeOperator(table, change, seen, { ...seen, status: 'removed' }, { action: 'operator.remove' });
  const user = await findUser(pool, email).catch(mapped);
  if (user !== undefined) await deleteUser(pool, user.operatorId).catch(mapped);
  else if (found.length === 0) throw unknown();
};

/**
 * Makes an address that of an administrator, unless an administrator has already signed in. Returns whether it did.
 * Errors: as `addOperator`.
 */
export const addFirstOperator = async (stores: Stores, change: Change, email: string): Promise<boolean> => {
  const operators = await listOperators(stores);
  if (operators.some(({ group, status }) => group === 'admin' && status === 'active')) return false;
  await addOperator(stores, change, email, 'admin');
  return true;
};

import {
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { ReplyTo } from '../../../contract/documentation.ts';
import type { Role } from '../../../contract/fields/access.ts';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { daysAfter } from '../../core/days.ts';
import { CuevaultError, invalidRequest, isCuevaultError } from '../../core/errors.ts';
import { randomBase62 } from '../../core/identifiers.ts';
import { INVITED_DAYS, isExpired, type Operator, openRequests } from '../../core/operators.ts';
import { type Change, commitChange, stamp } from '../audit.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsError, mapAwsErrors } from '../failures.ts';
import type { Table } from '../table.ts';
import { allOperators, findOperator, operatorExists, operatorWith, writeOperator } from './operators.ts';
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
export const connectUserPool = (): UserPool => ({
  client: new CognitoIdentityProviderClient(CLIENT_OPTIONS),
  userPoolId: process.env[ENVIRONMENT.userPool] ?? '',
});

/** Who somebody is, and what they may do. */
export interface Stores {
  readonly pool: UserPool;
  readonly table: Table;
}

export type OperatorChange =
  | { readonly group: Role }
  | { readonly enabled: boolean }
  | { readonly resetSignIn: true }
  | { readonly confirm: string }
  | { readonly remove: true };

/** An operator as lists show them. */
export type OperatorRow = ReplyTo<'operators-list'>['operators'][number];

const unknown = () => new CuevaultError('operator_not_found', 'There is no such operator.');

const mapped = (error: unknown) => {
  throw error instanceof UserNotFoundException ? unknown() : mapAwsError(error);
};

/** A function that calls Cognito, with the errors of Cuevault. */
const mapping =
  <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
  (...args: Args): Promise<Result> =>
    work(...args).catch(mapped);

const isPerson = ({ identity }: Operator) => identity === 'federated';

const statusOfPerson = (operator: Operator, at: Date): OperatorRow['status'] => {
  if (isExpired(operator, at)) return 'expired';
  return operator.status === 'removed' ? 'disabled' : operator.status;
};

const personIn = (requestId: string) => requestId.slice(requestId.indexOf('#') + 1);

const requestsOf = (operator: Operator, at: Date) => {
  const requests = operator.status === 'invited' ? openRequests(operator, at) : [];
  return requests.map((each) => ({ ...each, userId: personIn(each.requestId) }));
};

const rowOf = (operator: Operator, user: User | undefined, at: Date): OperatorRow => {
  const { operatorId, email, group, status, reservedFor, invitedAt, invitedBy, refusedEmail } = operator;
  const userId = operator.userId ?? (reservedFor && personIn(reservedFor));
  const requests = requestsOf(operator, at);
  const shared = { operatorId, email, group, invitedAt, invitedBy };
  if (isPerson(operator))
    return {
      ...shared,
      signIn: 'company',
      status: statusOfPerson(operator, at),
      userId,
      ...(requests.length > 0 && { requests }),
      refusedEmail,
    };
  const isActive = status === 'active' && user?.enabled === true;
  return {
    ...shared,
    signIn: 'password',
    status: isActive ? (user.isPending ? 'pending' : 'active') : 'disabled',
  };
};

const shown = async ({ pool, table }: Stores, operatorId: string, at: Date): Promise<OperatorRow> => {
  const operator = await findOperator(table, operatorId);
  if (operator === undefined) throw unknown();
  return rowOf(operator, isPerson(operator) ? undefined : await findUser(pool, operatorId), at);
};

/** All operators, by address. */
export const listOperators = async ({ pool, table }: Stores, at: Date): Promise<OperatorRow[]> => {
  const [operators, users] = await Promise.all([allOperators(table), mapAwsErrors(usersOf(pool))]);
  return operators
    .map((operator) => rowOf(operator, users.get(operator.operatorId), at))
    .sort((a, b) => a.email.localeCompare(b.email, 'en'));
};

const requireUser = async (pool: UserPool, name: string): Promise<User> => {
  const user = await findUser(pool, name);
  if (user === undefined) throw unknown();
  return user;
};

// Cognito ends what renews access tokens, not the tokens that it has issued.
const endingSessions = ({ at }: Change) => ({ sessionsEndedAt: at.toISOString() });

const RESET = { action: 'operator.reset' };

const writeReset = (table: Table, change: Change, seen: Operator) =>
  writeOperator(table, change, seen, { ...seen, ...endingSessions(change) }, RESET);

const invitedUntil = ({ at }: Change) => daysAfter(at, INVITED_DAYS).toISOString();

const invitation = (change: Change) => ({
  ...stamp(change, 'invited'),
  status: 'invited' as const,
  invitedUntil: invitedUntil(change),
});

// The company decides who can sign in; the record, what they may do.
const enablePerson = async (table: Table, change: Change, seen: Operator) => {
  const { status, userId, group } = seen;
  if (status === 'active') return;
  if (userId === undefined) {
    const next = { ...seen, ...invitation(change) };
    await writeOperator(table, change, seen, next, { action: 'operator.invite', details: { group } });
  } else {
    await writeOperator(table, change, seen, { ...seen, status: 'active' }, { action: 'operator.enable' });
  }
};

// The next token of the person takes the invitation. The provider of a request is part of its id.
const confirmPerson = async (table: Table, change: Change, seen: Operator, requestId: string) => {
  const request = requestsOf(seen, change.at).find((each) => each.requestId === requestId);
  if (request === undefined)
    throw invalidRequest('Nobody with this id asks for the invitation, or no longer. Reload the list.');
  const next = { ...seen, invitedUntil: invitedUntil(change), reservedFor: requestId };
  const details = { userId: request.userId };
  await writeOperator(table, change, seen, next, { action: 'operator.confirm', details });
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
    if (isPerson(seen)) throw invalidRequest('They sign in through the company, which resets their sign-in.');
    const user = await requireUser(pool, operatorId);
    await writeReset(table, change, seen);
    await resetSignIn(pool, user);
  } else if ('confirm' in wanted) {
    await confirmPerson(table, change, seen, wanted.confirm);
  } else if ('enabled' in wanted && wanted.enabled) {
    if (isPerson(seen)) await enablePerson(table, change, seen);
    else {
      await enableUser(pool, operatorId);
      if (status !== 'active')
        await writeOperator(
          table,
          change,
          seen,
          { ...seen, status: 'active' },
          { action: 'operator.enable' },
        );
    }
  } else {
    const [to, action] =
      'remove' in wanted
        ? (['removed', 'operator.remove'] as const)
        : (['disabled', 'operator.disable'] as const);
    const next = { ...seen, status: to, ...(!isPerson(seen) && endingSessions(change)) };
    if (status !== to) await writeOperator(table, change, seen, next, { action });
    // Also if the record says so already: Cognito may not have answered the call before.
    if (!isPerson(seen)) await disableUser(pool, operatorId);
  }
};

/**
 * Changes another operator. Since nobody changes their own account, and the transaction requires that the actor still
 * is an administrator, one always remains.
 */
export const updateOperator = mapping(
  async (stores: Stores, change: Change, operatorId: string, wanted: OperatorChange) => {
    const seen = await findOperator(stores.table, operatorId);
    if (seen === undefined || seen.status === 'removed') throw unknown();
    if (operatorId === change.actor.id)
      throw new CuevaultError('forbidden', 'You cannot change your own account. Ask another administrator.');
    await apply(stores, change, seen, wanted);
    return shown(stores, operatorId, change.at);
  },
);

/** The invitation that an address had, which may be renewed. */
const expiredInvitation = async (table: Table, { at }: Change, email: string) => {
  const known = await operatorWith(table, email);
  if (known !== undefined && !isExpired(known, at)) throw operatorExists(email);
  return known;
};

const invitePerson = async (stores: Stores, change: Change, email: string, group: Role) => {
  const { table } = stores;
  const known = await expiredInvitation(table, change, email);
  const { operatorId } = known ?? { operatorId: `op_${randomBase62(16)}` };
  const next = { operatorId, email, group, identity: 'federated', ...invitation(change) } as const;
  await writeOperator(table, change, known, next, { action: 'operator.invite', details: { group } });
  return shown(stores, operatorId, change.at);
};

/**
 * Invites an operator: first a user of the pool, who may do nothing, then the record. Of several invitations of one
 * address, one succeeds.
 */
const inviteOperator = mapping(async (stores: Stores, change: Change, email: string, group: Role) => {
  const { pool, table } = stores;
  await expiredInvitation(table, change, email);
  const { user, isNew } = await createUser(pool, email);
  const { operatorId } = user;
  const seen = isNew ? undefined : await findOperator(table, operatorId);
  if (seen !== undefined && seen.status !== 'removed') throw operatorExists(email);
  if (!isNew) {
    await enableUser(pool, operatorId);
    // Whoever has made this user may know the password.
    await resetSignIn(pool, user);
  }
  const as = { status: 'active', identity: 'native', ...stamp(change, 'invited') } as const;
  const next = { operatorId, email, group, ...as, ...(!isNew && endingSessions(change)) };
  await writeOperator(table, change, seen, next, { action: 'operator.invite', details: { group } });
  return shown(stores, operatorId, change.at);
});

/**
 * Invites operators one after the other; a repeated call invites who is missing. Returns them, and the addresses of
 * those who are operators already.
 */
export const inviteOperators = async (
  stores: Stores,
  change: Change,
  emails: readonly string[],
  group: Role,
  signIn: OperatorRow['signIn'],
): Promise<{ operators: OperatorRow[]; existing: string[] }> => {
  const operators: OperatorRow[] = [];
  const existing: string[] = [];
  for (const email of new Set(emails)) {
    try {
      const by = signIn === 'company' ? invitePerson : inviteOperator;
      operators.push(await by(stores, change, email, group));
    } catch (error) {
      if (!isCuevaultError(error, 'operator_exists') || emails.length === 1) throw error;
      existing.push(email);
    }
  }
  return { operators, existing };
};

/** Changes the operator with an address. */
export const updateByAddress = async (
  stores: Stores,
  change: Change,
  email: string,
  wanted: OperatorChange,
): Promise<void> => {
  const found = await operatorWith(stores.table, email);
  if (found === undefined) throw unknown();
  await updateOperator(stores, change, found.operatorId, wanted);
};

/** Invites an operator, or enables an existing one and moves them to the group. Returns whether they were invited. */
export const addOperator = async (stores: Stores, change: Change, email: string, group: Role) => {
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

/** Replaces the password of the operator with an address by a temporary one, which is mailed, or returned with `print`. */
export const resetByAddress = mapping(
  async ({ pool, table }: Stores, change: Change, email: string, print: boolean) => {
    const user = await requireUser(pool, email);
    const seen = await findOperator(table, user.operatorId);
    if (seen === undefined) await commitChange(table, change, { ...RESET, subject: email, name: email });
    else await writeReset(table, change, seen);
    return resetSignIn(pool, user, print);
  },
);

/** Removes the operator with an address, and their user. */
export const removeByAddress = mapping(async ({ pool, table }: Stores, change: Change, email: string) => {
  const seen = await operatorWith(table, email);
  if (seen !== undefined)
    await writeOperator(table, change, seen, { ...seen, status: 'removed' }, { action: 'operator.remove' });
  const user = await findUser(pool, email);
  if (user !== undefined) await deleteUser(pool, user.operatorId);
  else if (seen === undefined) throw unknown();
});

/** Makes an address that of an administrator, unless an administrator has already signed in. Returns whether it did. */
export const addFirstOperator = async (stores: Stores, change: Change, email: string): Promise<boolean> => {
  const operators = await listOperators(stores, change.at);
  if (operators.some(({ group, status }) => group === 'admin' && status === 'active')) return false;
  await addOperator(stores, change, email, 'admin');
  return true;
};

import { EMAIL } from '../../../contract/fields/patterns.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { foldedAddress, isExpired, type Operator, openRequests } from '../../core/operators.ts';
import type { Change } from '../audit.ts';
import { number, readRow, signedKind, text } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError, retryOnConflict } from '../transactions.ts';
import { findOperator, operatorWith, writeOperator } from './operators.ts';

/** Who a provider says that somebody is. */
export interface Person {
  /** Its name in the user pool. */
  readonly provider: string;
  /** Its address, and who asks it: another issuer, or another client, gives the same id to somebody else. */
  readonly issuer: string;
  readonly clientId: string;
  /** The id that it gave them, which never changes; unlike the address. */
  readonly userId: string;
  readonly email: string;
  /** Whether it says that the address is theirs. */
  readonly isVerified: boolean;
}

/** Open requests for one invitation. */
const MOST_REQUESTS = 20;

const personId = ({ provider, userId }: Pick<Person, 'provider' | 'userId'>) => `${provider}#${userId}`;

const identityKey = (person: Pick<Person, 'provider' | 'userId'>): Key => ({
  pk: PARTITIONS.operatorIdentity + personId(person),
  sk: 'IDENTITY',
});

/** The row that leads from a person to their operator. */
export const OPERATOR_IDENTITY = signedKind({
  domain: 'operator-identity',
  keyOf: identityKey,
  revisionOf: ({ rev }) => rev,
  fields: { provider: text, issuer: text, clientId: text, userId: text, operatorId: text, rev: number },
  optional: {},
});

/** The open invitation of an address, for a person of the company. */
export const openInvitation = async (table: Table, email: string, at: Date) => {
  const operator = await operatorWith(table, email);
  return operator?.status === 'invited' && !isExpired(operator, at) ? operator : undefined;
};

// The list and the audit log name people by the address that they have, which frees the former one for somebody else.
const renamed = async (
  table: Table,
  change: Omit<Change, 'actor'>,
  operator: Operator,
  { email, isVerified }: Person,
): Promise<Operator> => {
  const { operatorId: id, email: from, status, refusedEmail, ...rest } = operator;
  const isSame = refusedEmail === undefined && foldedAddress(email) === foldedAddress(from);
  if (!isVerified || status !== 'active' || isSame || !EMAIL.test(email)) return operator;
  const written = async (next: Operator, action: string, details: Readonly<Record<string, unknown>>) => {
    await writeOperator(table, { ...change, actor: { id, name: from } }, operator, next, { action, details });
    return next;
  };
  try {
    return await written({ ...rest, operatorId: id, status, email }, 'operator.rename', { from });
  } catch (error) {
    if (!isCuevaultError(error, 'operator_exists')) throw error;
    if (refusedEmail === email) return operator;
    return written({ ...operator, refusedEmail: email }, 'operator.refuse-address', { to: email });
  }
};

const request = async (table: Table, change: Omit<Change, 'actor'>, invited: Operator, person: Person) => {
  const requestId = personId(person);
  const requests = openRequests(invited, change.at);
  if (requests.length >= MOST_REQUESTS || requests.some((each) => each.requestId === requestId)) return;
  const next = { ...invited, requests: [...requests, { requestId, requestedAt: change.at.toISOString() }] };
  const actor = { id: requestId, name: requestId };
  await writeOperator(table, { ...change, actor }, invited, next, { action: 'operator.request' });
};

/**
 * The operator who a person is; undefined if nobody has invited them. The first sign-in takes the invitation of the
 * address, for good: later ones do not compare the address. Without a verified address it only asks for the invitation,
 * and takes it once an administrator has confirmed the person. It can be repeated, also at once.
 */
export const operatorOf = (
  table: Table,
  person: Person,
  { at, requestId }: Pick<Change, 'at' | 'requestId'>,
): Promise<Operator | undefined> =>
  retryOnConflict(async () => {
    const read = () => readRow(table, OPERATOR_IDENTITY, identityKey(person));
    const { provider, issuer, clientId, userId, isVerified } = person;
    const known = await read();
    const isKnown = known?.issuer === issuer && known.clientId === clientId;
    const operator = isKnown ? await findOperator(table, known.operatorId) : undefined;
    const change = { at, requestId, isAdmin: false };
    if (operator !== undefined && operator.status !== 'removed')
      return renamed(table, change, operator, person);
    const invited = await openInvitation(table, person.email, at);
    if (invited === undefined) {
      // A sign-in of theirs at the same time may just have taken it.
      if ((await read())?.rev === known?.rev) return undefined;
      throw new ConflictError('list of operators');
    }
    const { operatorId, email, requests: _, reservedFor, ...rest } = invited;
    if (reservedFor === undefined ? !isVerified : reservedFor !== personId(person)) {
      await request(table, change, invited, person);
      return undefined;
    }
    const next: Operator = { ...rest, operatorId, email, status: 'active', userId };
    const actor = { id: operatorId, name: email };
    const identity = { provider, issuer, clientId, userId, operatorId, rev: (known?.rev ?? 0) + 1 };
    await writeOperator(table, { ...change, actor }, invited, next, {
      action: 'operator.accept',
      details: { verified: isVerified },
      writes: [
        await putSigned(table, OPERATOR_IDENTITY, identity, known && { rev: known.rev }, 'list of operators'),
      ],
    });
    return next;
  });

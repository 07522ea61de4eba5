import { EMAIL } from '../../../contract/fields/patterns.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import type { Operator } from '../../core/operators.ts';
import type { Change } from '../audit.ts';
import { retryOnConflict } from '../retry.ts';
import { number, readRow, signedKind, text } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError } from '../transactions.ts';
import { allOperators, findOperator, writeOperator } from './operators.ts';

/** Who a provider says that somebody is. */
export interface Person {
  /** Its name in the user pool. */
  readonly provider: string;
  /** The id that it gave them, which never changes; unlike the address. */
  readonly userId: string;
  readonly email: string;
  /** Whether it says that the address is theirs. */
  readonly isVerified: boolean;
}

const identityKey = ({ provider, userId }: Pick<Person, 'provider' | 'userId'>): Key => ({
  pk: `${PARTITIONS.operatorIdentity}${provider}#${userId}`,
  sk: 'IDENTITY',
});

/** The row that leads from a person to their operator. */
export const OPERATOR_IDENTITY = signedKind({
  domain: 'operator-identity',
  partition: 'operatorIdentity',
  sk: 'IDENTITY',
  keyOf: identityKey,
  revisionOf: ({ rev }) => rev,
  fields: { provider: text, userId: text, operatorId: text, rev: number },
  optional: {},
});

/** The open invitation of an address, for a person of the company. Errors: `integrity`, `unavailable`. */
export const openInvitation = async (table: Table, email: string, at: Date) => {
  const now = at.toISOString();
  const isOpen = ({ status, invitedUntil = now }: Operator) => status === 'invited' && invitedUntil > now;
  return (await allOperators(table, email)).find(isOpen);
};

// The list and the audit log name people by the address that they have, which frees the former one for somebody else.
const renamed = async (
  table: Table,
  change: Omit<Change, 'actor'>,
  operator: Operator,
  { email, isVerified }: Person,
): Promise<Operator> => {
  const { operatorId: id, email: from, status } = operator;
  const isNew = isVerified && status === 'active' && email.toLowerCase() !== from.toLowerCase();
  if (!isNew || !EMAIL.test(email)) return operator;
  const actor = { id, name: from };
  const next = { ...operator, email };
  const entry = { action: 'operator.rename', details: { from } };
  await writeOperator(table, { ...change, actor }, operator, next, entry);
  return next;
};

/**
 * The operator who a person is; undefined if nobody has invited them. The first sign-in takes the invitation of the
 * address, for good: later ones do not compare the address. It can be repeated, also at once. Errors: `integrity`,
 * `unavailable`, `changed_meanwhile`.
 */
export const operatorOf = (
  table: Table,
  person: Person,
  { at, requestId }: Pick<Change, 'at' | 'requestId'>,
): Promise<Operator | undefined> =>
  retryOnConflict(async () => {
    const read = () => readRow(table, OPERATOR_IDENTITY, identityKey(person));
    const known = await read();
    const operator = known && (await findOperator(table, known.operatorId));
    const change = { at, requestId, isAdmin: false };
    if (operator !== undefined && operator.status !== 'removed')
      return renamed(table, change, operator, person);
    const invited = await openInvitation(table, person.email, at);
    if (invited === undefined) {
      // A sign-in of theirs at the same time may just have taken it.
      if ((await read())?.rev === known?.rev) return undefined;
      throw new ConflictError('list of operators');
    }
    const { provider, userId, isVerified } = person;
    const { operatorId, email } = invited;
    const next: Operator = { ...invited, status: isVerified ? 'active' : 'unconfirmed', userId };
    const actor = { id: operatorId, name: email };
    const identity = { provider, userId, operatorId, rev: (known?.rev ?? 0) + 1 };
    await writeOperator(table, { ...change, actor }, invited, next, {
      action: 'operator.accept',
      details: { verified: isVerified },
      writes: [await putSigned(table, OPERATOR_IDENTITY, identity, known && { rev: known.rev })],
    });
    return next;
  });

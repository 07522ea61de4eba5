import type { Role } from '../../../contract/fields/access.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { CuevaultError } from '../../core/errors.ts';
import { foldedAddress, isExpired, type Operator } from '../../core/operators.ts';
import { type AuditChange, type Change, commitChange } from '../audit.ts';
import { inIndex, keyOfItem, queryItems, readItems } from '../queries.ts';
import {
  number,
  readRow,
  records,
  type SignedKind,
  signedKind,
  text,
  verifiedRow,
  word,
} from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { onlyIf, type Write } from '../transactions.ts';

const operatorKey = (operatorId: string): Key => ({ pk: PARTITIONS.operator + operatorId, sk: 'OPERATOR' });

export const OPERATOR: SignedKind<Operator> = signedKind({
  domain: 'operator',
  keyOf: ({ operatorId }) => operatorKey(operatorId),
  revisionOf: ({ rev }) => rev,
  fields: {
    operatorId: text,
    email: text,
    group: word<Role>(),
    status: word<Operator['status']>(),
    identity: word<Operator['identity']>(),
    invitedAt: text,
    invitedBy: text,
    rev: number,
  },
  optional: {
    invitedUntil: text,
    userId: text,
    requests: records('requestId', 'requestedAt'),
    reservedFor: text,
    refusedEmail: text,
    sessionsEndedAt: text,
  },
  derived: ({ email, operatorId }) => ({
    [TABLE.index.partitionKey]: INDEX_PARTITIONS.operators,
    [TABLE.index.sortKey]: `${foldedAddress(email)}#${operatorId}`,
  }),
});

/** Finds an operator by id, strongly consistent. */
export const findOperator = (table: Table, operatorId: string): Promise<Operator | undefined> =>
  readRow(table, OPERATOR, operatorKey(operatorId));

const addressKey = ({ address }: { readonly address: string }): Key => ({
  pk: PARTITIONS.operatorAddress + address,
  sk: 'ADDRESS',
});

/** Who has last claimed an address. They have it as long as their own record says so. */
export const OPERATOR_ADDRESS = signedKind({
  domain: 'operator-address',
  keyOf: addressKey,
  revisionOf: ({ rev }) => rev,
  fields: { address: text, operatorId: text, rev: number },
  optional: {},
});

const readAddress = async (table: Table, email: string) => {
  const address = foldedAddress(email);
  const row = await readRow(table, OPERATOR_ADDRESS, addressKey({ address }));
  const operator = row && (await findOperator(table, row.operatorId));
  const isTheirs = operator?.status !== 'removed' && foldedAddress(operator?.email ?? '') === address;
  return { address, row, operator: isTheirs ? operator : undefined };
};

/** The operator who has an address, also if they are only invited or the invitation has expired; strongly consistent. */
export const operatorWith = async (table: Table, email: string): Promise<Operator | undefined> =>
  (await readAddress(table, email)).operator;

/** All operators who are not removed, by address; found by the index, and verified. */
export const allOperators = async (table: Table): Promise<Operator[]> => {
  const keys = (await Array.fromAsync(queryItems(table, inIndex('operators')))).map(keyOfItem);
  const rows = new Map((await readItems(table, keys)).map((item) => [item.pk, item]));
  return keys
    .flatMap((key) => {
      const item = rows.get(key.pk);
      return item === undefined ? [] : [verifiedRow(table, OPERATOR, key, item)];
    })
    .filter(({ status }) => status !== 'removed');
};

// Two administrators who demote each other at once must not both succeed.
const operatorUnchanged = ({ operatorId, rev }: Operator): Write => ({
  check: { Key: operatorKey(operatorId), ...onlyIf({ rev }) },
  onConditionFailed: () =>
    new CuevaultError('forbidden', 'An administrator has just changed what you may do. Reload the page.'),
});

export const operatorExists = (email: string): CuevaultError =>
  new CuevaultError(
    'operator_exists',
    `${email} is an operator already. If they cannot sign in, or never did, reset their password and second factor: they get a new temporary password. If they are disabled, enable them.`,
  );

// Of an address, only one operator is the last to have claimed it. An expired invitation of another one ends.
const claimAddress = async (
  table: Table,
  { at }: Change,
  { email, operatorId }: Omit<Operator, 'rev'>,
): Promise<Write[]> => {
  const { address, row, operator } = await readAddress(table, email);
  const claim = { address, operatorId, rev: (row?.rev ?? 0) + 1 };
  const taken = () => operatorExists(email);
  const claimed = await putSigned(table, OPERATOR_ADDRESS, claim, row && { rev: row.rev }, taken);
  if (operator === undefined || operator.operatorId === operatorId) return [claimed];
  if (!isExpired(operator, at)) throw taken();
  const ended = { ...operator, status: 'removed' as const, rev: operator.rev + 1 };
  return [claimed, await putSigned(table, OPERATOR, ended, { rev: operator.rev }, taken)];
};

/**
 * Writes the record of an operator as one transaction with its audit entry and further `writes`, if it is as it was
 * seen. Whoever did not have the address before claims it in the same transaction.
 */
export const writeOperator = async (
  table: Table,
  change: Change,
  seen: Operator | undefined,
  next: Omit<Operator, 'rev'>,
  { writes = [], ...entry }: Pick<AuditChange, 'action' | 'details'> & { readonly writes?: readonly Write[] },
): Promise<void> => {
  const { email } = next;
  const failed = seen === undefined ? () => operatorExists(email) : 'list of operators';
  const rev = (seen?.rev ?? 0) + 1;
  const hadAddress =
    seen !== undefined &&
    seen.status !== 'removed' &&
    !isExpired(seen, change.at) &&
    foldedAddress(seen.email) === foldedAddress(email);
  const subject = { subject: email, name: email, subjectId: next.operatorId };
  await commitChange(table, change, { ...entry, ...subject }, [
    ...(change.operator === undefined ? [] : [operatorUnchanged(change.operator)]),
    await putSigned(table, OPERATOR, { ...next, rev }, seen && { rev: seen.rev }, failed),
    ...(hadAddress || next.status === 'removed' ? [] : await claimAddress(table, change, next)),
    ...writes,
  ]);
};

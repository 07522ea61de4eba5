import type { Role } from '../../../contract/endpoint.ts';
import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { CuevaultError } from '../../core/errors.ts';
import type { Operator } from '../../core/operators.ts';
import { type AuditChange, type Change, commitChange } from '../audit.ts';
import { inIndex, keyOfItem, queryItems, readItems } from '../queries.ts';
import { number, oneOf, readRow, type SignedKind, signedKind, text, verifiedRow } from '../signing/rows.ts';
import { putSigned } from '../signing/writes.ts';
import type { Key, Table } from '../table.ts';
import { ConflictError, onlyIf, type Write } from '../transactions.ts';

const operatorKey = (operatorId: string): Key => ({ pk: PARTITIONS.operator + operatorId, sk: 'OPERATOR' });

export const OPERATOR: SignedKind<Operator> = signedKind({
  domain: 'operator',
  partition: 'operator',
  sk: 'OPERATOR',
  keyOf: ({ operatorId }) => operatorKey(operatorId),
  revisionOf: ({ rev }) => rev,
  fields: {
    operatorId: text,
    email: text,
    group: oneOf<Role>(),
    status: oneOf<Operator['status']>(),
    identity: oneOf<Operator['identity']>(),
    invitedAt: text,
    invitedBy: text,
    rev: number,
  },
  optional: { invitedUntil: text, userId: text, before: oneOf<'unconfirmed'>(), sessionsEndedAt: text },
  derived: ({ email, operatorId }) => ({
    [TABLE.index.partitionKey]: INDEX_PARTITIONS.operators,
    [TABLE.index.sortKey]: `${email.toLowerCase()}#${operatorId}`,
  }),
});

/** Finds an operator by id, strongly consistent. Errors: `integrity`, `unavailable`. */
export const findOperator = (table: Table, operatorId: string): Promise<Operator | undefined> =>
  readRow(table, OPERATOR, operatorKey(operatorId));

/**
 * All operators who are not removed, or those with an address, by address; found by the index, and verified. Errors:
 * `integrity`, `unavailable`.
 */
export const allOperators = async (table: Table, email?: string): Promise<Operator[]> => {
  const address = email?.toLowerCase();
  const query =
    address === undefined
      ? inIndex('operators')
      : inIndex('operators', `begins_with(${TABLE.index.sortKey}, :address)`, { ':address': `${address}#` });
  const keys = (await Array.fromAsync(queryItems(table, query))).map(keyOfItem);
  const rows = new Map((await readItems(table, keys)).map((item) => [item.pk, item]));
  return keys
    .flatMap((key) => {
      const item = rows.get(key.pk);
      return item === undefined ? [] : [verifiedRow(table, OPERATOR, key, item)];
    })
    .filter(
      (each) => each.status !== 'removed' && (email === undefined || each.email.toLowerCase() === address),
    );
};

/** Requires, in a transaction, that an operator has not been changed since their record was read. */
export const operatorUnchanged = ({ operatorId, rev }: Operator): Write => ({
  check: { Key: operatorKey(operatorId), ...onlyIf({ rev }) },
  onConditionFailed: () =>
    new CuevaultError('forbidden', 'An administrator has just changed what you may do. Reload the page.'),
});

export const operatorExists = (email: string): CuevaultError =>
  new CuevaultError('operator_exists', `${email} is an operator already.`);

/**
 * Writes the record of an operator as one transaction with its audit entry and further `writes`, if it is as it was seen.
 * Errors: `operator_exists` if there was none, and `changed_meanwhile` otherwise; `forbidden` if the actor is no longer an
 * administrator; `unavailable`.
 */
export const writeOperator = async (
  table: Table,
  change: Change,
  seen: Operator | undefined,
  next: Omit<Operator, 'rev'>,
  { writes = [], ...entry }: Pick<AuditChange, 'action' | 'details'> & { readonly writes?: readonly Write[] },
): Promise<void> => {
  const { email } = next;
  const failed = () => (seen === undefined ? operatorExists(email) : new ConflictError('list of operators'));
  const rev = (seen?.rev ?? 0) + 1;
  await commitChange(table, change, { ...entry, subject: email, name: email }, [
    await putSigned(table, OPERATOR, { ...next, rev }, seen && { rev: seen.rev }, failed),
    ...writes,
  ]);
};

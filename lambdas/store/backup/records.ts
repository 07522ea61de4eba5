import type { BackupItem, BackupRecord, Position } from '../../../contract/backup.ts';
import { type IndexPartition, TABLE } from '../../../contract/table.ts';
import { inIndex, queryItems } from '../queries.ts';
import type { Item, Table } from '../table.ts';

/** The rows of a partition of the index after a sort key, in order. */
export const indexRowsAfter = (table: Table, partition: IndexPartition, after?: string) =>
  queryItems(
    table,
    after === undefined
      ? inIndex(partition)
      : inIndex(partition, `${TABLE.index.sortKey} > :after`, { ':after': after }),
  );

/** A record, and where the backup continues after it. */
export interface Step {
  readonly record: BackupRecord;
  readonly after: Position;
}

/** A value with the properties of its objects sorted: DynamoDB returns them in any order. */
const inOrder = (value: unknown): unknown => {
  if (value instanceof Uint8Array) throw new Error('A backup cannot contain binary attributes.');
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, inner]) => [name, inOrder(inner)]));
};

/** An unsigned row as a backup contains it. Throws for binary attributes, which JSON cannot contain. */
export const backupItem = ({
  [TABLE.partitionKey]: _,
  [TABLE.index.partitionKey]: __,
  [TABLE.index.sortKey]: ___,
  ...item
}: Item): BackupItem => inOrder(item) as BackupItem;

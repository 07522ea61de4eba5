import { canonicalJson } from '../../../contract/content/hash.ts';
import type { BackupItem, BackupRecord, Position } from '../../../contract/shapes/backup.ts';
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

/** An unsigned row as a backup contains it: DynamoDB returns its attributes in any order. */
export const backupItem = ({
  [TABLE.partitionKey]: _,
  [TABLE.index.partitionKey]: __,
  [TABLE.index.sortKey]: ___,
  ...item
}: Item): BackupItem => JSON.parse(canonicalJson(item));

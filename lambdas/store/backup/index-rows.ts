import { INDEX_PARTITIONS, type IndexPartition, TABLE } from '../../../contract/table.ts';
import { type Item, queryItems, type Table } from '../table.ts';

/** The rows of a partition of the index after a sort key, in order. Errors: `unavailable`. */
export const indexRowsAfter = (
  table: Table,
  partition: IndexPartition,
  after: string | undefined,
): AsyncGenerator<Item> => {
  const { name, partitionKey, sortKey } = TABLE.index;
  const start = after === undefined ? {} : { ':after': after };
  return queryItems(table, {
    IndexName: name,
    KeyConditionExpression: `${partitionKey} = :pk${after === undefined ? '' : ` AND ${sortKey} > :after`}`,
    ExpressionAttributeValues: { ':pk': INDEX_PARTITIONS[partition], ...start },
  });
};

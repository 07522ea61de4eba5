import { BatchGetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { INDEX_PARTITIONS, type IndexPartition, TABLE } from '../../contract/table.ts';
import { inParallel } from '../core/parallel.ts';
import { mapAwsError, throttling } from './failures.ts';
import {
  type Connection,
  type Consistency,
  callTable,
  getItem,
  type InTable,
  type Item,
  type Key,
} from './table.ts';

export type TableQuery = InTable<Omit<QueryCommandInput, 'ExclusiveStartKey'>>;

/** One page of a query, from a key on. */
export const queryOnce = async (
  table: Connection,
  query: TableQuery & { readonly ConsistentRead: boolean },
  start: Item | undefined,
): Promise<{ readonly items: readonly Item[]; readonly last: Item | undefined }> => {
  const input = { TableName: table.name, ...query, ExclusiveStartKey: start };
  const { Items = [], LastEvaluatedKey } = await callTable(() => table.client.send(new QueryCommand(input)));
  return { items: Items, last: LastEvaluatedKey };
};

/**
 * Yields every item that matches a query, across all pages. A query of the table is strongly consistent unless it says
 * otherwise, a query of the index cannot be.
 */
export async function* queryItems(table: Connection, query: TableQuery): AsyncGenerator<Item> {
  const ConsistentRead = query.ConsistentRead ?? query.IndexName === undefined;
  let start: Item | undefined;
  do {
    const page = await queryOnce(table, { ...query, ConsistentRead }, start);
    yield* page.items;
    start = page.last;
  } while (start !== undefined);
}

/** Keys in one call: DynamoDB API Reference, `BatchGetItem`. */
const BATCH_KEYS = 100;

/** The existing items of these keys, unordered; unless strongly consistent, as they were at most about a second ago. */
export const readItems = async (
  table: Connection,
  keys: readonly Key[],
  consistency: Consistency = 'eventually',
): Promise<Item[]> => {
  if (table.batched !== undefined) {
    const rows = await Promise.all(keys.map((key) => getItem(table, key, consistency)));
    return rows.filter((row) => row !== undefined);
  }
  const parts = Array.from({ length: Math.ceil(keys.length / BATCH_KEYS) }, (_, i) =>
    keys.slice(i * BATCH_KEYS, (i + 1) * BATCH_KEYS),
  );
  const found = await inParallel(parts, async (part) => {
    const items: Item[] = [];
    let Keys: Item[] | undefined = part.map((key) => ({ ...key }));
    await callTable(async () => {
      const RequestItems = { [table.name]: { Keys, ConsistentRead: consistency === 'strongly' } };
      const reply = await table.client.send(new BatchGetCommand({ RequestItems }));
      items.push(...(reply.Responses?.[table.name] ?? []));
      Keys = reply.UnprocessedKeys?.[table.name]?.Keys;
      if (Keys !== undefined && Keys.length > 0) throw mapAwsError(throttling());
    });
    return items;
  });
  return found.flat();
};

/**
 * How a kind of unsigned row is stored: its fields as they are, or as JSON text, because a map would not preserve
 * `1e300`, `__proto__` and deep nesting. What is read is not verified.
 */
export const unsignedKind = <Row extends object>(...asText: readonly (keyof Row & string)[]) => {
  const mapped = (row: object, map: (value: unknown) => unknown): Item =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        value !== undefined && asText.some((each) => each === name) ? map(value) : value,
      ]),
    );
  return {
    toItem: (row: Row): Item => mapped(row, JSON.stringify),
    fromItem: ({ pk, sk, gsi1pk, gsi1sk, listed, ttl, ...row }: Item): Row =>
      mapped(row, (value) => JSON.parse(String(value))) as unknown as Row,
  };
};

/** The key of an item that a query returned. */
export const keyOfItem = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });

/** A query of a partition, or of those of its rows whose sort key meets a condition with these values. */
export const inPartition = (pk: string, condition?: string, values: Item = {}) => ({
  KeyConditionExpression: `pk = :pk${condition === undefined ? '' : ` AND ${condition}`}`,
  ExpressionAttributeValues: { ':pk': pk, ...values },
});

/** A query of the rows of a partition whose sort keys are between two, both included. */
export const inRange = (pk: string, from: string, to: string) =>
  inPartition(pk, 'sk BETWEEN :from AND :to', { ':from': from, ':to': to });

/** The rows of a partition, or those whose sort keys begin with a text, in order. */
export const rowsFrom = (table: Connection, pk: string, start = ''): AsyncGenerator<Item> =>
  queryItems(
    table,
    start === '' ? inPartition(pk) : inPartition(pk, 'begins_with(sk, :start)', { ':start': start }),
  );

/** A query of a partition of the index, or of some of its rows, as `inPartition`; `suffix` follows a prefix. */
export const inIndex = (partition: IndexPartition, condition?: string, values: Item = {}, suffix = '') => ({
  IndexName: TABLE.index.name,
  KeyConditionExpression: `${TABLE.index.partitionKey} = :pk${condition === undefined ? '' : ` AND ${condition}`}`,
  ExpressionAttributeValues: { ':pk': INDEX_PARTITIONS[partition] + suffix, ...values },
});

import { isObject } from '../../contract/fields/patterns.ts';
import { TABLE } from '../../contract/table.ts';
import { decodeCursor, encodeCursor, invalidCursor, withinPage } from '../core/lists/lists.ts';
import { queryOnce, type TableQuery } from './queries.ts';
import type { Connection, Item } from './table.ts';

export interface QueryPage<Entry = Item> {
  readonly items: readonly Entry[];
  /** Opaque cursor of the next page. Absent on the last page. */
  readonly cursor?: string | undefined;
}

/**
 * Returns one page of a query of the table, strongly consistent: up to `limit` items, fewer if these are large, and the
 * cursor of the next page. The query must return `pk` and `sk`.
 */
export const queryPage = async (
  table: Connection,
  query: Omit<TableQuery, 'IndexName'>,
  limit: number,
  cursor?: string,
): Promise<QueryPage> => {
  const start = cursor === undefined ? undefined : startOf(query, cursor);
  const page = await queryOnce(table, { ...query, ConsistentRead: true, Limit: limit }, start).catch(
    (error: unknown) => {
      // Such as a key of this partition outside the range of the query.
      throw cursor !== undefined && isRefused(error) ? invalidCursor() : error;
    },
  );
  const items = withinPage(page.items);
  const { pk, sk } = items.at(-1) ?? {};
  const last = items.length < page.items.length ? { pk, sk } : page.last;
  return { items, cursor: last && encodeCursor(last) };
};

const isRefused = (error: unknown) => error instanceof Error && error.name === 'ValidationException';

// A cursor must be a key of the listed partition: the cursor of another list would lead elsewhere.
const startOf = (
  { ExpressionAttributeValues = {} }: Pick<TableQuery, 'ExpressionAttributeValues'>,
  cursor: string,
): Item => {
  const { partitionKey, sortKey } = TABLE;
  const key = decodeCursor(cursor, (value): value is Item => isKey(value, [partitionKey, sortKey]));
  if (!Object.values(ExpressionAttributeValues).includes(key[partitionKey])) throw invalidCursor();
  return key;
};

const isKey = (value: unknown, names: readonly string[]) =>
  isObject(value) &&
  Object.keys(value).length === names.length &&
  names.every((name) => typeof value[name] === 'string' && value[name] !== '');

import { TABLE } from '../../contract/table.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../core/lists/cursors.ts';
import { withinPage } from '../core/lists/lists.ts';
import { isValidationError } from './failures.ts';
import { type Connection, type Item, queryOnce, type TableQuery } from './table.ts';

export interface QueryPage<Entry = Item> {
  readonly items: readonly Entry[];
  /** Opaque cursor of the next page. Absent on the last page. */
  readonly cursor?: string;
}

/** A page of a query, its items converted by `read`. */
export const pageOf = <Entry>(
  { items, ...rest }: QueryPage,
  read: (item: Item) => Entry,
): QueryPage<Entry> => ({ items: items.map(read), ...rest });

/**
 * Returns one page of a query of the table, strongly consistent: up to `limit` items, fewer if these are large, and the
 * cursor of the next page. The query must return `pk` and `sk`. Errors: `invalid_request` (cursor), `unavailable`.
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
      throw cursor !== undefined && isValidationError(error) ? invalidCursor() : error;
    },
  );
  const items = withinPage(page.items);
  const { pk, sk } = items.at(-1) ?? {};
  const last = items.length < page.items.length ? { pk, sk } : page.last;
  return { items, ...(last === undefined ? {} : { cursor: encodeCursor(last) }) };
};

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

const isKey = (value: unknown, names: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === names.length &&
  names.every((name) => {
    const part = (value as Item)[name];
    return typeof part === 'string' && part !== '';
  });

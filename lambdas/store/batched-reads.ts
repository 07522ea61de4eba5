import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { createBoundedCache } from '../core/bounded-cache.ts';
import { connectTable, QUICK_OPTIONS } from './connect.ts';
import { mapAwsError, retryThrottled, throttling } from './failures.ts';
import { type Connection, type Item, type Key, keyText, type ReadRow, type Table } from './table.ts';

type Waiting = PromiseWithResolvers<Item | undefined> & { readonly key: Key };

/** Rows in one call: as many of the largest as a reply holds (16 MB: DynamoDB API Reference, `BatchGetItem`). */
const MOST_ROWS = 40;

/**
 * Reads in one call the rows that are requested at the same moment, such as the API key and the head that a request
 * needs. They consume the same capacity as single reads.
 */
export const createBatchedReads = (
  { client, name: tableName }: Connection,
  ConsistentRead = true,
): ReadRow => {
  let waiting = new Map<string, Waiting>();

  const read = async (batch: ReadonlyMap<string, Waiting>) => {
    try {
      const Keys = [...batch.values()].map(({ key }) => key);
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead } } }),
      );
      for (const item of Responses[tableName] ?? []) batch.get(keyText(item as Key & Item))?.resolve(item);
      // The rows are small, so only the throughput of a partition can leave one of them unprocessed.
      for (const key of UnprocessedKeys[tableName]?.Keys ?? [])
        batch.get(keyText(key as Key))?.reject(mapAwsError(throttling()));
      for (const { resolve } of batch.values()) resolve(undefined);
    } catch (error) {
      for (const { reject } of batch.values()) reject(mapAwsError(error));
    }
  };

  return (key) => {
    if (waiting.size === 0) {
      // After everything that is ready to run, because the handler parses the body before it requests the head.
      const flush = () => {
        const rows = [...waiting];
        waiting = new Map();
        for (let i = 0; i < rows.length; i += MOST_ROWS) void read(new Map(rows.slice(i, i + MOST_ROWS)));
      };
      queueMicrotask(() => process.nextTick(flush));
    }
    const known = waiting.get(keyText(key));
    if (known !== undefined) return known.promise;
    const requested = Promise.withResolvers<Item | undefined>();
    waiting.set(keyText(key), { key, ...requested });
    return requested.promise;
  };
};

/** An older row is never used: a container sees every change within this time. */
const RECENT_MS = 1_000;
/** How long after a throttled read a container reads the row less often. */
const SPARE_MS = 10_000;
/** The age at which such a row is read again, random so that containers do not read it at the same moment. */
const REFRESH_MS = { from: 500, to: 900 } as const;
const RECENT_ROWS = 1_000;

/**
 * Reads rows for the lifetime of a container. One partition key serves 3,000 reads a second, so a popular row must be
 * shared between calls: once a read of it is throttled, calls use a row that the container has read itself. A row that is
 * not throttled is never shared. Times are milliseconds, `random` is from 0 to 1.
 */
export const createSharedReads = ({ now = Date.now, random = Math.random } = {}) => {
  const rows = createBoundedCache<{
    readonly row: unknown;
    readonly at: number;
    readonly refreshMs: number;
  }>(RECENT_ROWS);
  const throttledUntil = createBoundedCache<number>(RECENT_ROWS);
  // An age below zero means that the clock was set back.
  const youngerThan = (id: string, limit: (refreshMs: number) => number): unknown => {
    const known = rows.get(id);
    if (known === undefined) return undefined;
    const age = now() - known.at;
    return age >= 0 && age < limit(known.refreshMs) ? known.row : undefined;
  };
  return async <Row>(id: string, read: () => Promise<Row | undefined>): Promise<Row | undefined> => {
    const isSpared = now() < (throttledUntil.get(id) ?? 0);
    const cached = isSpared ? youngerThan(id, (refreshMs) => refreshMs) : undefined;
    if (cached !== undefined) return cached as Row;
    return retryThrottled(
      async () => {
        const at = now();
        const row = await read();
        const refreshMs = REFRESH_MS.from + random() * (REFRESH_MS.to - REFRESH_MS.from);
        if (row !== undefined) rows.set(id, { row, at, refreshMs });
        return row;
      },
      () => {
        throttledUntil.set(id, now() + SPARE_MS);
        return youngerThan(id, () => RECENT_MS) as Row | undefined;
      },
    );
  };
};

/** Gives a table the reads of functions that applications call. `now` is in milliseconds. */
export const withHotRows = (table: Table, now = Date.now): Table => ({
  ...table,
  hot: { read: createBatchedReads(table), readThroughThrottling: createSharedReads({ now }) },
});

/** Connects a function that applications call to the table that the environment names. */
export const connectHotTable = (): Table => withHotRows(connectTable(process.env, QUICK_OPTIONS));

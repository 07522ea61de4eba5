import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { openWhileStarting, QUICK_OPTIONS } from './client.ts';
import { connectTable } from './connect.ts';
import { mapAwsError, throttling } from './failures.ts';
import type { Connection, Item, Key, Table } from './table.ts';
import { createRecentRows } from './throttled-reads.ts';

interface Waiting {
  readonly key: Key;
  readonly promise: Promise<Item | undefined>;
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const nameOf = ({ pk, sk }: Pick<Key, 'pk' | 'sk'>): string => `${pk} ${sk}`;

/**
 * Reads in one call the rows that are requested at the same moment: the API key and the head that a request needs. They
 * consume the same capacity as single reads. At most 100 different keys can be requested at a time.
 */
const createBatchedReads = ({
  client,
  name: tableName,
}: Connection): ((key: Key) => Promise<Item | undefined>) => {
  let waiting = new Map<string, Waiting>();

  const read = async (batch: ReadonlyMap<string, Waiting>): Promise<void> => {
    try {
      const Keys = [...batch.values()].map(({ key }) => key);
      const { Responses = {}, UnprocessedKeys = {} } = await client.send(
        new BatchGetCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses[tableName] ?? []) batch.get(nameOf(item as Key & Item))?.resolve(item);
      // The rows are small, so only the throughput of a partition can leave one of them unprocessed.
      for (const key of UnprocessedKeys[tableName]?.Keys ?? [])
        batch.get(nameOf(key as Key))?.reject(mapAwsError(throttling()));
      for (const { resolve } of batch.values()) resolve(undefined);
    } catch (error) {
      for (const { reject } of batch.values()) reject(mapAwsError(error));
    }
  };

  return (key) => {
    if (waiting.size === 0) {
      // After everything that is ready to run, because the handler parses the body before it requests the head.
      const flush = () => {
        const batch = waiting;
        waiting = new Map();
        void read(batch);
      };
      queueMicrotask(() => process.nextTick(flush));
    }
    const known = waiting.get(nameOf(key));
    if (known !== undefined) return known.promise;
    const { promise, resolve, reject } = Promise.withResolvers<Item | undefined>();
    waiting.set(nameOf(key), { key, promise, resolve, reject });
    return promise;
  };
};

/** Gives a table the reads of functions that applications call. `now` is in milliseconds. */
export const withHotRows = (table: Table, now = Date.now): Table => ({
  ...table,
  hot: { read: createBatchedReads(table), recent: createRecentRows({ now }) },
});

/** Connects a function that applications call to the table that the environment names. */
export const connectHotTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = QUICK_OPTIONS,
): Table => {
  const table = connectTable(environment, options);
  openWhileStarting(table.client, environment);
  return withHotRows(table);
};

import { type DynamoDBClient, type DynamoDBClientConfig, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createBatchedReads } from './batched-reads.ts';
import { CLIENT_OPTIONS, createClient, openWhileStarting, QUICK_OPTIONS } from './client.ts';
import { mapAwsErrors } from './failures.ts';
import { connectTable, type Item, type Table } from './table.ts';
import { createRecentRows } from './throttled-reads.ts';

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { readonly acquireInitialRetryToken: unknown }
>;

const tokenAfter = (retries: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => (retries === 0 ? 0 : Math.random() * 50 * 2 ** retries),
});

const ALL_BUT_THROTTLING: RetryStrategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const retries = token.getRetryCount() + 1;
    if (errorType !== 'TRANSIENT' || retries === CLIENT_OPTIONS.maxAttempts) throw new Error('Not retried.');
    return tokenAfter(retries);
  },
  recordSuccess: () => undefined,
};

const putItem = async (client: DynamoDBClient, TableName: string, item: Item): Promise<void> => {
  // Not the options of the document client, which adds some of its own to the object that it is given.
  const Item = marshall(item, { removeUndefinedValues: true });
  await mapAwsErrors(client.send(new PutItemCommand({ TableName, Item })));
};

/**
 * Gives a table the reads and writes of every call. They take attributes instead of documents, because the document
 * client prepares the SDK's middleware again for each call. `now` is in milliseconds.
 */
export const withHotRows = (table: Table, client: DynamoDBClient, now: () => number = Date.now): Table => ({
  ...table,
  hot: {
    now,
    read: createBatchedReads(client, table.name),
    put: (item) => putItem(client, table.name, item),
    recent: createRecentRows({ now }),
  },
});

/** Connects a function that applications call to the table that the environment names. */
export const connectHotTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = QUICK_OPTIONS,
): Table => {
  const table = connectTable(environment, options);
  // Both clients use the same connections.
  const { requestHandler } = table.documents.config;
  const own = { requestHandler, retryStrategy: ALL_BUT_THROTTLING, cacheMiddleware: true };
  const client = createClient({ ...options, ...own });
  openWhileStarting(client, environment);
  return withHotRows(table, client);
};

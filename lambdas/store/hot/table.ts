import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createRecentRows } from '../../core/recent-rows.ts';
import { CLIENT_OPTIONS, connectTable, DOCUMENT_OPTIONS, QUICK_OPTIONS, type Table } from '../table.ts';
import { createBatchedReads } from './batch.ts';

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

/** Gives a table the reads of hot rows. `now` is in milliseconds. */
export const withHotRows = (
  table: Table,
  documents: DynamoDBDocumentClient,
  now: () => number = Date.now,
): Table => ({
  ...table,
  hot: {
    ...{ documents, now },
    read: createBatchedReads(documents, table.name),
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
  const client = new DynamoDBClient({
    ...{ ...CLIENT_OPTIONS, ...options },
    ...{ requestHandler, retryStrategy: ALL_BUT_THROTTLING },
  });
  return withHotRows(table, DynamoDBDocumentClient.from(client, DOCUMENT_OPTIONS));
};

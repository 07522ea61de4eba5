import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
import { timeLeft } from '../core/deadline.ts';
import { createSigning, type Signer } from '../core/signing.ts';
import type { Table } from './table.ts';

/** Options of a client in Lambda: tries three times in all. Times are milliseconds. */
export const CLIENT_OPTIONS = {
  maxAttempts: 3,
  // By default, the SDK only warns about a request that takes too long, and keeps waiting.
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
} as const;

/** For functions that applications wait for: three unanswered calls still leave time for a fallback. */
export const QUICK_OPTIONS = {
  requestHandler: { ...CLIENT_OPTIONS.requestHandler, connectionTimeout: 1_000, requestTimeout: 2_500 },
} as const;

type RetryStrategy = Extract<
  NonNullable<DynamoDBClientConfig['retryStrategy']>,
  { readonly acquireInitialRetryToken: unknown }
>;

const tokenAfter = (retries: number) => {
  const delay = retries === 0 ? 0 : Math.random() * 50 * 2 ** retries;
  return { getRetryCount: () => retries, getRetryDelay: () => delay };
};

/** Repeats what failed in transit. What is throttled is repeated in `failures.ts`. */
const ALL_BUT_THROTTLING: RetryStrategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const next = tokenAfter(token.getRetryCount() + 1);
    const isLast = next.getRetryCount() === CLIENT_OPTIONS.maxAttempts;
    if (errorType !== 'TRANSIENT' || isLast || next.getRetryDelay() >= timeLeft())
      throw new Error('Not retried.');
    return next;
  },
  recordSuccess: () => undefined,
};

/** A client of DynamoDB that takes and returns documents. */
export const createClient = (options: DynamoDBClientConfig): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    ...CLIENT_OPTIONS,
    retryStrategy: ALL_BUT_THROTTLING,
    ...options,
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

const settingsIn = (environment: NodeJS.ProcessEnv): Settings => {
  const settings = Object.entries(DEFAULT_SETTINGS).map(([name, byDefault]) => {
    const value = environment[ENVIRONMENT[name as keyof Settings]] ?? byDefault;
    return [name, typeof byDefault === 'number' ? Number(value) : value];
  });
  return Object.fromEntries(settings);
};

/**
 * Connects to the table that the environment names (`contract/functions/environment.ts`). Without a signer, the function
 * only verifies rows.
 */
export const connectTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: DynamoDBClientConfig = {},
  signer?: Signer,
): Table => ({
  client: createClient(options),
  name: environment[ENVIRONMENT.table] ?? '',
  wideSources: new Set(),
  signing: createSigning(environment[ENVIRONMENT.publicKeys] ?? '', signer),
  settings: settingsIn(environment),
});

import type { Readable } from 'node:stream';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DEFAULT_SETTINGS, ENVIRONMENT, type Settings } from '../../contract/functions/environment.ts';
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

const tokenAfter = (retries: number) => ({
  getRetryCount: () => retries,
  getRetryDelay: () => (retries === 0 ? 0 : Math.random() * 50 * 2 ** retries),
});

/** Repeats what failed in transit. What is throttled is repeated in `failures.ts`. */
const ALL_BUT_THROTTLING: RetryStrategy = {
  acquireInitialRetryToken: async () => tokenAfter(0),
  refreshRetryTokenForRetry: async (token, { errorType }) => {
    const retries = token.getRetryCount() + 1;
    if (errorType !== 'TRANSIENT' || retries === CLIENT_OPTIONS.maxAttempts) throw new Error('Not retried.');
    return tokenAfter(retries);
  },
  recordSuccess: () => undefined,
};

// They fill headers that nobody reads, and a log that is off, on every call.
const UNUSED_MIDDLEWARE = ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware'];

/** A client of DynamoDB that takes and returns documents, without the middleware that serves nothing here. */
export const createClient = (options: DynamoDBClientConfig): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    ...{ ...CLIENT_OPTIONS, retryStrategy: ALL_BUT_THROTTLING },
    ...options,
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

type Client = DynamoDBClient | KMSClient;
type Request = Parameters<Client['config']['requestHandler']['handle']>[0];

const addressOf = async ({ config }: Client) => {
  if (config.endpoint !== undefined) return config.endpoint();
  const { protocol, hostname, port } = config.endpointProvider({ Region: await config.region() }).url;
  return { protocol, hostname, port: port === '' ? undefined : Number(port) };
};

/**
 * Opens a connection before the first call needs it, with a request that needs no credentials. The answer makes no
 * difference. Never throws.
 */
export const openConnection = async (client: Client): Promise<void> => {
  try {
    const { protocol, hostname, port } = await addressOf(client);
    const request = {
      protocol,
      hostname,
      method: 'GET',
      path: '/',
      query: {},
      headers: {},
      ...(port && { port }),
    };
    const { response } = await client.config.requestHandler.handle(request as Request);
    // Only then can calls use the connection.
    (response.body as Readable).resume();
  } catch {}
};

/** Opens connections while a container of Lambda starts; elsewhere, nothing waits for them. */
export const openWhileStarting = (client: Client, environment: NodeJS.ProcessEnv): void => {
  if (environment.AWS_LAMBDA_INITIALIZATION_TYPE !== undefined) void openConnection(client);
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

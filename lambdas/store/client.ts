import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { Sha256 } from './sha256.ts';

/** Options of a client in Lambda: tries three times in all. Times are milliseconds. */
export const CLIENT_OPTIONS = {
  maxAttempts: 3,
  sha256: Sha256,
  // By default, the SDK only warns about a request that takes too long, and keeps waiting.
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
} as const;

/** For functions that applications wait for: three unanswered calls still leave time for a fallback. */
export const QUICK_OPTIONS = {
  requestHandler: { ...CLIENT_OPTIONS.requestHandler, connectionTimeout: 1_000, requestTimeout: 2_500 },
} as const;

/** How items become attributes. */
export const DOCUMENT_OPTIONS = { marshallOptions: { removeUndefinedValues: true } } as const;

// They fill headers that nobody reads, and a log that is off, on every call.
const UNUSED_MIDDLEWARE = ['getUserAgentMiddleware', 'loggerMiddleware', 'recursionDetectionMiddleware'];

/** A client of DynamoDB without the middleware that serves nothing here. */
export const createClient = (options: DynamoDBClientConfig): DynamoDBClient => {
  const client = new DynamoDBClient({ ...CLIENT_OPTIONS, ...options });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  return client;
};

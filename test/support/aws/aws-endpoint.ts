import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Grant } from '../../../contract/functions/grants.ts';
import { REGION, TABLE_NAME } from '../../../local/aws/account.ts';
import { createCloudWatch } from '../../../local/aws/cloudwatch.ts';
import { type AwsEndpoint, type AwsEndpointOptions, startAwsEndpoint } from '../../../local/aws/endpoint.ts';
import { createLambda } from '../../../local/aws/lambda.ts';
import { s3Failure } from '../../../local/aws/s3.ts';
import { createEventBridge } from '../../../local/aws/services.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import type { Access } from '../../../local/functions/accesses.ts';
import { permissionsOf } from '../../../local/functions/grants.ts';

type Credentials = AwsEndpoint['runnerCredentials'];

export interface TestEndpoint {
  readonly endpoint: AwsEndpoint;
  /** Each denied call: the function, the action and what it is on. */
  readonly denials: (readonly [operationId: string, action: string, on: string])[];
  readonly stop: () => Promise<void>;
}

/** The AWS endpoint on the real engine, with its table, for functions with these grants; KMS answers `{}`. */
export const openTestEndpoint = async (
  functions: Readonly<Record<string, readonly Grant[]>>,
  options: Partial<AwsEndpointOptions> = {},
): Promise<TestEndpoint> => {
  const engine = await startEngine();
  await ensureTable(engine.endpoint, TABLE_NAME);
  const denials: TestEndpoint['denials'] = [];
  const endpoint = await startAwsEndpoint({
    engineEndpoint: engine.endpoint,
    kms: () => ({ status: 200, body: '{}' }),
    cloudWatch: createCloudWatch(),
    cognito: async () => ({ status: 200, body: '{}' }),
    eventBridge: createEventBridge(() => undefined),
    s3: () => s3Failure(404, 'NoSuchKey'),
    lambda: createLambda(async () => undefined),
    functions: Object.fromEntries(
      Object.entries(functions).map(([id, grants]) => [id, permissionsOf(grants)]),
    ),
    onDenied: (operationId, { action, on }: Access) => denials.push([operationId, action, on]),
    ...options,
  });
  return {
    endpoint,
    denials,
    stop: async () => {
      await endpoint.stop();
      await engine.stop();
    },
  };
};

const clientOptions = (endpoint: AwsEndpoint, credentials: Credentials) => ({
  endpoint: endpoint.url,
  region: REGION,
  credentials,
  maxAttempts: 1,
});

export const dynamoDbOf = (endpoint: AwsEndpoint, credentials: Credentials): DynamoDBClient =>
  new DynamoDBClient(clientOptions(endpoint, credentials));

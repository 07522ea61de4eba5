import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { functionArn, keyArn, REGION, roleArn, TABLE_NAME, tableArn } from '../../../local/aws/account.ts';
import { createCloudWatch } from '../../../local/aws/cloudwatch.ts';
import {
  type AwsEndpoint,
  type AwsEndpointOptions,
  type Credentials,
  startAwsEndpoint,
} from '../../../local/aws/endpoint.ts';
import { createEventBridge } from '../../../local/aws/events.ts';
import { createLambda } from '../../../local/aws/lambda.ts';
import { s3Failure } from '../../../local/aws/s3.ts';
import { startEngine } from '../../../local/engine/engine.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import type { Denial } from '../../../local/iam/guard.ts';
import type { Statement } from '../../../local/iam/policies.ts';

export const VAULT_KEY = keyArn('vault-key');

/** A grant as the stack writes it: actions on the table or its index, limited to leading keys. */
export const grant = (actions: readonly string[], leadingKeys: readonly string[], index = ''): Statement => ({
  Effect: 'Allow',
  Action: actions.map((action) => `dynamodb:${action}`),
  Resource: `${tableArn(TABLE_NAME)}${index}`,
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': leadingKeys },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
});

export interface TestEndpoint {
  readonly endpoint: AwsEndpoint;
  readonly denials: Denial[];
  readonly stop: () => Promise<void>;
}

/** The AWS endpoint on the real engine, with its table, for functions with these statements; KMS answers `{}`. */
export const openTestEndpoint = async (
  functions: Readonly<Record<string, readonly Statement[]>>,
  options: Partial<AwsEndpointOptions> = {},
): Promise<TestEndpoint> => {
  const engine = await startEngine();
  await ensureTable(engine.endpoint, TABLE_NAME);
  const denials: Denial[] = [];
  const endpoint = await startAwsEndpoint({
    engineEndpoint: engine.endpoint,
    kms: () => ({ status: 200, body: '{}' }),
    cloudWatch: createCloudWatch(),
    cognito: async () => ({ status: 200, body: '{}' }),
    eventBridge: createEventBridge(() => undefined),
    s3: () => s3Failure(404, 'NoSuchKey'),
    lambda: createLambda(async () => undefined),
    resources: { vaultKeyArn: VAULT_KEY, policies: {} },
    functions: Object.entries(functions).map(([operationId, statements]) => ({
      operationId,
      roleArn: roleArn(operationId),
      functionArn: functionArn(operationId),
      statements,
    })),
    onDenied: (denial) => denials.push(denial),
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

export const kmsOf = (endpoint: AwsEndpoint, credentials: Credentials): KMSClient =>
  new KMSClient(clientOptions(endpoint, credentials));

import {
  CreateTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../contract/table.ts';
import { REGION } from '../aws/account.ts';

/** Credentials for the engine. It does not check them, but DynamoDB Local keeps one database per key id and region. */
export const ENGINE_CREDENTIALS = { accessKeyId: 'cuevault', secretAccessKey: 'cuevault' } as const;

/** The options of clients of the engine at an address. */
const engineOptions = (endpoint: string) => ({
  endpoint,
  region: REGION,
  credentials: ENGINE_CREDENTIALS,
});

const keySchema = (keys: { readonly partitionKey: string; readonly sortKey: string }) => [
  { AttributeName: keys.partitionKey, KeyType: 'HASH' as const },
  { AttributeName: keys.sortKey, KeyType: 'RANGE' as const },
];

const definition = (name: string): CreateTableCommand =>
  new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...keySchema(TABLE), ...keySchema(TABLE.index)].map(({ AttributeName }) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: keySchema(TABLE),
    GlobalSecondaryIndexes: [
      {
        IndexName: TABLE.index.name,
        KeySchema: keySchema(TABLE.index),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...TABLE.index.included] },
      },
    ],
  });

const ensureExpiry = async (client: DynamoDBClient, name: string): Promise<void> => {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }));
  if (TimeToLiveDescription?.AttributeName !== undefined) return;
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { AttributeName: TABLE.ttl, Enabled: true },
    }),
  );
};

/** Creates the table as the stack defines it, with its index and expiry, unless it exists. */
export const ensureTable = async (endpoint: string, name: string): Promise<void> => {
  const client = new DynamoDBClient(engineOptions(endpoint));
  try {
    await client.send(definition(name)).catch((error: unknown) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
    await ensureExpiry(client, name);
  } finally {
    client.destroy();
  }
};

import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand } from '@aws-sdk/client-kms';
import { KEY_ARNS, TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { awsFailure } from '../../../local/aws/reply.ts';
import type { Consumption } from '../../../local/aws/services.ts';
import { dynamoDbOf, kmsOf, openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';

const READER = 'vault-get-secrets';
const OTHER = 'secrets-create';

let opened: TestEndpoint;
const consumed: Consumption[] = [];
beforeAll(async () => {
  opened = await openTestEndpoint(
    {
      [READER]: [
        { on: 'vault-key', actions: ['Decrypt'] },
        { on: 'table', actions: ['GetItem', 'PutItem', 'Query'], partitions: ['prompt'] },
      ],
      [OTHER]: [{ on: 'signing-key', actions: ['Sign'] }],
    },
    {
      kms: (target, body) => ({
        status: 200,
        body: JSON.stringify({ KeyId: `${target} ${Object.keys(body as object)}` }),
      }),
      intercept: ({ body }) =>
        JSON.stringify(body).includes('busy') ? awsFailure('ThrottlingException', 'Slow down.') : undefined,
      onConsumed: (consumption) => consumed.push(consumption),
    },
  );
});
afterAll(() => opened.stop());

const decrypt = async (operationId: string, KeyId?: string) => {
  const client = kmsOf(opened.endpoint, opened.endpoint.credentialsOf(operationId));
  try {
    return await client.send(new DecryptCommand({ CiphertextBlob: new Uint8Array(8), KeyId }));
  } finally {
    client.destroy();
  }
};

test('a granted call reaches KMS', async () => {
  expect((await decrypt(READER)).KeyId).toBe('TrentService.Decrypt CiphertextBlob');
});

test.each([
  ['without a grant on the key', OTHER, undefined],
  ['with another key', READER, KEY_ARNS.SigningKey],
])('a call of KMS %s is denied', async (_, operationId, key) => {
  await expect(decrypt(operationId, key)).rejects.toMatchObject({ name: 'AccessDeniedException' });
});

test('an interceptor answers in place of the service', async () => {
  const client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(READER));
  const get = (pk: string) => new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: 'x' } } });
  await expect(client.send(get('PROMPT#busy'))).rejects.toMatchObject({ name: 'ThrottlingException' });
  await client.send(get('PROMPT#idle'));
  client.destroy();
});

test('an observer gets the total consumption of each call', async () => {
  consumed.length = 0;
  const client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(READER));
  const Item = { pk: { S: 'PROMPT#P' }, sk: { S: 'x' }, filler: { S: 'x'.repeat(1_500) } };
  await client.send(new PutItemCommand({ TableName, Item }));
  await client.send(
    new GetItemCommand({ TableName, Key: { pk: Item.pk, sk: Item.sk }, ConsistentRead: true }),
  );
  await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': Item.pk },
    }),
  );
  await client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] }));
  client.destroy();
  expect(consumed).toMatchObject([
    { operationId: READER, operation: 'PutItem', units: 2 },
    { operationId: READER, operation: 'GetItem', units: 1 },
    { operationId: READER, operation: 'Query', units: 0.5 },
    { operationId: READER, operation: 'TransactWriteItems', units: 4 },
  ]);
});

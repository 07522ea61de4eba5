import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand } from '@aws-sdk/client-kms';
import { ACCOUNT_PRINCIPAL, roleArn, TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { awsFailure } from '../../../local/aws/reply.ts';
import type { Consumption } from '../../../local/aws/services.ts';
import {
  dynamoDbOf,
  grant,
  kmsOf,
  openTestEndpoint,
  type TestEndpoint,
  VAULT_KEY,
} from '../../support/aws/aws-endpoint.ts';

const READER = 'vault-get-secrets';
const OTHER = 'secrets-create';

const DECRYPT = {
  Effect: 'Allow',
  Action: 'kms:Decrypt',
  Resource: VAULT_KEY,
  Condition: { StringEquals: { 'kms:EncryptionContext:stage': 'local' } },
};

const KEY_POLICY = [
  { Effect: 'Allow', Action: 'kms:*', Resource: '*', Principal: { AWS: ACCOUNT_PRINCIPAL } },
  {
    Effect: 'Deny',
    Action: 'kms:Decrypt',
    Resource: '*',
    Principal: '*',
    Condition: { ArnNotEquals: { 'aws:PrincipalArn': [roleArn(READER)] } },
  },
];

let opened: TestEndpoint;
const consumed: Consumption[] = [];
beforeAll(async () => {
  opened = await openTestEndpoint(
    { [READER]: [DECRYPT, grant(['GetItem', 'PutItem', 'Query'], ['*'])], [OTHER]: [DECRYPT] },
    {
      resources: { vaultKeyArn: VAULT_KEY, policies: { [VAULT_KEY]: KEY_POLICY } },
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

const decrypt = async (operationId: string, EncryptionContext: Record<string, string>) => {
  const client = kmsOf(opened.endpoint, opened.endpoint.credentialsOf(operationId));
  try {
    return await client.send(new DecryptCommand({ CiphertextBlob: new Uint8Array(8), EncryptionContext }));
  } finally {
    client.destroy();
  }
};

test('a granted call reaches KMS', async () => {
  expect((await decrypt(READER, { stage: 'local' })).KeyId).toBe(
    'TrentService.Decrypt CiphertextBlob,EncryptionContext',
  );
});

test('a call with another encryption context, or with none, is denied', async () => {
  const denied = { name: 'AccessDeniedException' };
  await expect(decrypt(READER, { stage: 'prod' })).rejects.toMatchObject(denied);
  await expect(decrypt(READER, {})).rejects.toMatchObject(denied);
});

test('the policy of the key denies a function whose own policy allows', async () => {
  await expect(decrypt(OTHER, { stage: 'local' })).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringContaining('explicit deny'),
  });
});

test('an interceptor answers in place of the service', async () => {
  const client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(READER));
  const get = (pk: string) => new GetItemCommand({ TableName, Key: { pk: { S: pk }, sk: { S: 'x' } } });
  await expect(client.send(get('busy'))).rejects.toMatchObject({ name: 'ThrottlingException' });
  await client.send(get('idle'));
  client.destroy();
});

test('an observer gets the total consumption of each call', async () => {
  consumed.length = 0;
  const client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(READER));
  const Item = { pk: { S: 'P' }, sk: { S: 'x' }, filler: { S: 'x'.repeat(1_500) } };
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

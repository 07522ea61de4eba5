import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand } from '@aws-sdk/client-kms';
import type { Grant } from '../../../contract/functions/grants.ts';
import { KEY_ARNS, TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { dynamoDbOf, kmsOf, openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';

const FUNCTION = 'prompts-get';
const GRANTS: readonly Grant[] = [
  {
    on: 'table',
    actions: ['GetItem', 'BatchGetItem', 'PutItem', 'Query', 'ConditionCheckItem'],
    partitions: ['prompt', 'format'],
  },
  { on: 'table', actions: ['UpdateItem'], partitions: ['usage'] },
  { on: 'index', partitions: ['drafts'] },
  { on: 'vault-key', actions: ['Decrypt'] },
];

let opened: TestEndpoint;
let client: DynamoDBClient;
beforeAll(async () => {
  opened = await openTestEndpoint({ [FUNCTION]: GRANTS, signer: [{ on: 'signing-key', actions: ['Sign'] }] });
  client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(FUNCTION));
});
afterAll(async () => {
  client.destroy();
  await opened.stop();
});
beforeEach(() => {
  opened.denials.length = 0;
});

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const put = (pk: string) => new PutItemCommand({ TableName, Item: key(pk) });
const get = (pk: string) => new GetItemCommand({ TableName, Key: key(pk) });
const update = (pk: string) => ({ Update: { TableName, Key: key(pk), UpdateExpression: 'REMOVE note' } });
const query = (attribute: string, value: string, IndexName?: string) =>
  new QueryCommand({
    TableName,
    ...(IndexName === undefined ? {} : { IndexName }),
    KeyConditionExpression: '#key = :value',
    ExpressionAttributeNames: { '#key': attribute },
    ExpressionAttributeValues: { ':value': { S: value } },
  });

const denied = { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } };

test('allowed calls reach the table', async () => {
  await client.send(put('PROMPT#1'));
  expect((await client.send(get('PROMPT#1'))).Item).toEqual(key('PROMPT#1'));
  expect((await client.send(query('pk', 'PROMPT#1'))).Count).toBe(1);
  expect(opened.denials).toEqual([]);
});

test('another partition is denied, and reported', async () => {
  await expect(client.send(get('USE#1'))).rejects.toMatchObject(denied);
  expect(opened.denials).toEqual([[FUNCTION, 'dynamodb:GetItem', 'USE#1']]);
});

test('a batch with one item that is not granted is denied', async () => {
  const batch = (...keys: string[]) =>
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(key) } } });
  await client.send(batch('PROMPT#1', 'FORMAT'));
  await expect(client.send(batch('PROMPT#1', 'USE#1'))).rejects.toMatchObject(denied);
});

test('a grant on the table opens neither its index nor a scan, and one on the index not the table', async () => {
  await expect(client.send(query('gsi1pk', 'PROMPT#1', 'gsi1'))).rejects.toMatchObject(denied);
  await expect(client.send(new ScanCommand({ TableName }))).rejects.toMatchObject(denied);
  await expect(client.send(query('pk', 'DRAFTS'))).rejects.toMatchObject(denied);
  expect((await client.send(query('gsi1pk', 'DRAFTS', 'gsi1'))).Count).toBe(0);
});

test('a transaction with one part that is not granted is denied and writes nothing', async () => {
  const transaction = (updated: string) =>
    new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName, Item: key('PROMPT#transaction') } }, update(updated)],
    });
  await expect(client.send(transaction('PROMPT#2'))).rejects.toMatchObject(denied);
  expect((await client.send(get('PROMPT#transaction'))).Item).toBeUndefined();
  await client.send(transaction('USE#2'));
  expect((await client.send(get('PROMPT#transaction'))).Item).toBeDefined();
});

test('a call of KMS needs a grant on the key', async () => {
  const decrypt = (operationId: string, KeyId?: string) => {
    const kms = kmsOf(opened.endpoint, opened.endpoint.credentialsOf(operationId));
    return kms
      .send(new DecryptCommand({ CiphertextBlob: new Uint8Array(8), KeyId }))
      .finally(() => kms.destroy());
  };
  await decrypt(FUNCTION);
  await expect(decrypt('signer')).rejects.toMatchObject({ name: denied.name });
  await expect(decrypt(FUNCTION, KEY_ARNS.SigningKey)).rejects.toMatchObject({ name: denied.name });
});

test('the runner may do everything', async () => {
  const runner = dynamoDbOf(opened.endpoint, opened.endpoint.runnerCredentials);
  expect((await runner.send(new ScanCommand({ TableName }))).Count).toBeGreaterThan(0);
  runner.destroy();
});

test('a request without an access key id of this start is rejected', async () => {
  const { accessKeyId, ...rest } = opened.endpoint.credentialsOf(FUNCTION);
  const stranger = dynamoDbOf(opened.endpoint, { ...rest, accessKeyId: accessKeyId.slice(0, -1) });
  const refused = { name: 'UnrecognizedClientException' };
  await expect(stranger.send(get('PROMPT#1'))).rejects.toMatchObject(refused);
  stranger.destroy();
  for (const authorization of ['', accessKeyId, 'AWS4-HMAC-SHA256 Credential=/']) {
    const unsigned = await fetch(opened.endpoint.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem', authorization },
      body: JSON.stringify({ TableName, Key: key('PROMPT#1') }),
    });
    expect(unsigned.status).toBe(400);
    expect(await unsigned.text()).toContain(refused.name);
  }
});

test('access key ids are random, 160 bits, and differ between functions', () => {
  const runner = opened.endpoint.runnerCredentials.accessKeyId;
  expect(runner).toMatch(/^CUE[0-9A-F]{40}$/);
  expect(opened.endpoint.credentialsOf(FUNCTION).accessKeyId).not.toBe(runner);
});

import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { dynamoDbOf, grant, openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';

const FUNCTION = 'prompts-get';
const STATEMENTS = [
  grant(['GetItem', 'PutItem', 'Query', 'ConditionCheckItem'], ['A#*', 'WHOLE']),
  grant(['UpdateItem'], ['B#*']),
];

let opened: TestEndpoint;
let client: DynamoDBClient;
beforeAll(async () => {
  opened = await openTestEndpoint({ [FUNCTION]: STATEMENTS });
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
  await client.send(put('A#1'));
  expect((await client.send(get('A#1'))).Item).toEqual(key('A#1'));
  expect((await client.send(query('pk', 'A#1'))).Count).toBe(1);
  expect(opened.denials).toEqual([]);
});

test('another prefix is denied, and the message names function, action and leading key', async () => {
  await expect(client.send(get('B#1'))).rejects.toMatchObject({
    ...denied,
    message: expect.stringMatching(/function prompts-get.* dynamodb:GetItem .*\["B#1"\]/),
  });
  expect(opened.denials).toMatchObject([{ operationId: FUNCTION, action: 'dynamodb:GetItem' }]);
});

test('a whole partition key does not cover those that begin with it', async () => {
  await expect(client.send(get('WHOLE#1'))).rejects.toMatchObject(denied);
});

test('a table grant opens neither its index nor a scan', async () => {
  await expect(client.send(query('gsi1pk', 'A#1', 'gsi1'))).rejects.toMatchObject(denied);
  await expect(client.send(new ScanCommand({ TableName }))).rejects.toMatchObject(denied);
});

test('a transaction with one part that is not granted is denied and writes nothing', async () => {
  const transaction = (updated: string) =>
    new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName, Item: key('A#transaction') } }, update(updated)],
    });
  await expect(client.send(transaction('A#2'))).rejects.toMatchObject(denied);
  expect((await client.send(get('A#transaction'))).Item).toBeUndefined();
  await client.send(transaction('B#2'));
  expect((await client.send(get('A#transaction'))).Item).toBeDefined();
});

test('the error of a failed condition comes through as the engine gives it', async () => {
  await client.send(put('A#condition'));
  const again = new PutItemCommand({
    TableName,
    Item: key('A#condition'),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  await expect(client.send(again)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
});

test('removing a statement takes effect on the next call', async () => {
  opened.endpoint.setStatements(FUNCTION, STATEMENTS.slice(1));
  await expect(client.send(get('A#1'))).rejects.toMatchObject(denied);
  opened.endpoint.setStatements(FUNCTION, STATEMENTS);
  await client.send(get('A#1'));
});

test('a statement that cannot be evaluated denies, and is named', async () => {
  const Condition = { IpAddress: { 'aws:SourceIp': '127.0.0.1' } };
  const unknown = STATEMENTS.slice(0, 1).map((first) => ({ ...first, Effect: 'Allow', Condition }));
  opened.endpoint.setStatements(FUNCTION, unknown);
  await expect(client.send(get('A#1'))).rejects.toMatchObject({
    ...denied,
    message: expect.stringContaining('aws:SourceIp'),
  });
  opened.endpoint.setStatements(FUNCTION, STATEMENTS);
});

test('the runner itself is not bound by policies', async () => {
  const runner = dynamoDbOf(opened.endpoint, opened.endpoint.runnerCredentials);
  expect((await runner.send(new ScanCommand({ TableName }))).Count).toBeGreaterThan(0);
  runner.destroy();
});

test('a request without an access key id of this start is rejected', async () => {
  const { accessKeyId, ...rest } = opened.endpoint.credentialsOf(FUNCTION);
  const stranger = dynamoDbOf(opened.endpoint, { ...rest, accessKeyId: accessKeyId.slice(0, -1) });
  const refused = { name: 'UnrecognizedClientException' };
  await expect(stranger.send(get('A#1'))).rejects.toMatchObject(refused);
  stranger.destroy();
  for (const authorization of ['', accessKeyId, 'AWS4-HMAC-SHA256 Credential=/']) {
    const unsigned = await fetch(opened.endpoint.url, {
      method: 'POST',
      headers: { 'x-amz-target': 'DynamoDB_20120810.GetItem', authorization },
      body: JSON.stringify({ TableName, Key: key('A#1') }),
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

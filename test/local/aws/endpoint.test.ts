import {
  type DynamoDBClient,
  GetItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { connectSealedLog } from '../../../lambdas/store/seal/sealed-log.ts';
import { REGION, RESOURCES, TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { createLambda } from '../../../local/aws/lambda.ts';
import { createS3 } from '../../../local/aws/s3.ts';
import { dynamoDbOf, openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';
import { newFolder } from '../../support/new-folder.ts';

const FUNCTION = 'prompts-get';

let opened: TestEndpoint;
let client: DynamoDBClient;
beforeAll(async () => {
  opened = await openTestEndpoint(
    {
      [FUNCTION]: [
        { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['prompt'] },
        { on: 'table', actions: ['UpdateItem'], partitions: ['usage'] },
      ],
      'audit-seal': [{ on: 'sealed-log', actions: ['GetObject', 'PutObject'] }],
    },
    { s3: createS3(newFolder()) },
  );
  client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(FUNCTION));
});
afterAll(async () => {
  client.destroy();
  await opened.stop();
});

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const get = (pk: string) => new GetItemCommand({ TableName, Key: key(pk) });
const update = (pk: string) => ({ Update: { TableName, Key: key(pk), UpdateExpression: 'REMOVE note' } });

const denied = { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } };
const expectDenied = (sent: Promise<unknown>) => expect(sent).rejects.toMatchObject(denied);

test('another partition is denied, and reported', async () => {
  await expectDenied(client.send(get('USE#1')));
  expect(opened.denials).toEqual([[FUNCTION, 'dynamodb:GetItem', 'USE#1']]);
});

test('a transaction with one part that is not granted is denied and writes nothing', async () => {
  const transaction = (updated: string) =>
    new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName, Item: key('PROMPT#transaction') } }, update(updated)],
    });
  await expectDenied(client.send(transaction('PROMPT#2')));
  expect((await client.send(get('PROMPT#transaction'))).Item).toBeUndefined();
  await client.send(transaction('USE#2'));
  expect((await client.send(get('PROMPT#transaction'))).Item).toBeDefined();
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

test('Lambda starts a function with its event, and refuses what is no event or waits for the reply', () => {
  const invoked: unknown[] = [];
  const lambda = createLambda(async (...call) => void invoked.push(call));
  const statusOf = (type: string, event: string) =>
    lambda.answer({ name: 'job', type }, Buffer.from(event)).status;
  expect([statusOf('Event', '{"a":1}'), statusOf('Event', '{'), statusOf('RequestResponse', '{}')]).toEqual([
    202, 400, 400,
  ]);
  expect(invoked).toEqual([['job', { a: 1 }]]);
});

test('an object of the sealed log is added once, and read as it was added; no key escapes the folder or the bucket', async () => {
  const logIn = (bucket: string) =>
    connectSealedLog(
      { [ENVIRONMENT.sealedLog]: bucket },
      {
        endpoint: opened.endpoint.url,
        region: REGION,
        maxAttempts: 1,
        credentials: opened.endpoint.credentialsOf('audit-seal'),
      },
    );
  const log = logIn(RESOURCES.sealedLog);
  const bytes = Buffer.alloc(2_000_000, 'x');
  expect(await log.read('2026-01-01/1.gz')).toBeUndefined();
  expect(await log.add('2026-01-01/1.gz', bytes)).toBe(true);
  expect(await log.add('2026-01-01/1.gz', Buffer.from('other'))).toBe(false);
  expect((await log.read('2026-01-01/1.gz'))?.equals(bytes)).toBe(true);
  await expect(log.add('../escaped', Buffer.from('x'))).rejects.toThrow();
  await expect(logIn('Other').read('2026-01-01/1.gz')).rejects.toMatchObject({ name: 'AccessDenied' });
});

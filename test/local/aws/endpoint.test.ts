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
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Grant } from '../../../contract/functions/grants.ts';
import { connectSealedLog } from '../../../lambdas/store/seal/sealed-log.ts';
import { KEY_ARNS, REGION, RESOURCES, TABLE_NAME as TableName } from '../../../local/aws/account.ts';
import { createLambda } from '../../../local/aws/lambda.ts';
import { createS3 } from '../../../local/aws/s3.ts';
import { dynamoDbOf, kmsOf, openTestEndpoint, type TestEndpoint } from '../../support/aws/aws-endpoint.ts';
import { newFolder } from '../../support/new-folder.ts';

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

const invoked: unknown[] = [];
const lambda = createLambda(async (name, event) => {
  invoked.push([name, event]);
});

let opened: TestEndpoint;
let client: DynamoDBClient;
beforeAll(async () => {
  opened = await openTestEndpoint(
    {
      [FUNCTION]: GRANTS,
      signer: [{ on: 'signing-key', actions: ['Sign'] }],
      starter: [{ on: 'job', job: 'job', actions: ['InvokeFunction'] }],
      'audit-seal': [{ on: 'sealed-log', actions: ['GetObject', 'PutObject', 'ListBucket'] }],
      other: [],
    },
    { lambda, s3: createS3(newFolder()) },
  );
  client = dynamoDbOf(opened.endpoint, opened.endpoint.credentialsOf(FUNCTION));
});
afterAll(async () => {
  client.destroy();
  await opened.stop();
});
beforeEach(() => {
  opened.denials.length = 0;
  invoked.length = 0;
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
const expectDenied = (sent: Promise<unknown>) => expect(sent).rejects.toMatchObject(denied);

test('allowed calls reach the table', async () => {
  await client.send(put('PROMPT#1'));
  expect((await client.send(get('PROMPT#1'))).Item).toEqual(key('PROMPT#1'));
  expect((await client.send(query('pk', 'PROMPT#1'))).Count).toBe(1);
  expect(opened.denials).toEqual([]);
});

test('another partition is denied, and reported', async () => {
  await expectDenied(client.send(get('USE#1')));
  expect(opened.denials).toEqual([[FUNCTION, 'dynamodb:GetItem', 'USE#1']]);
});

test('a batch with one item that is not granted is denied', async () => {
  const batch = (...keys: string[]) =>
    new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: keys.map(key) } } });
  await client.send(batch('PROMPT#1', 'FORMAT'));
  await expectDenied(client.send(batch('PROMPT#1', 'USE#1')));
});

test('a grant on the table opens neither its index nor a scan, and one on the index not the table', async () => {
  await expectDenied(client.send(query('gsi1pk', 'PROMPT#1', 'gsi1')));
  await expectDenied(client.send(new ScanCommand({ TableName })));
  await expectDenied(client.send(query('pk', 'DRAFTS')));
  expect((await client.send(query('gsi1pk', 'DRAFTS', 'gsi1'))).Count).toBe(0);
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

describe('Lambda', () => {
  const invoke = async (
    operationId: string,
    input: Partial<ConstructorParameters<typeof InvokeCommand>[0]> = {},
  ) => {
    const client = new LambdaClient({
      endpoint: opened.endpoint.url,
      region: REGION,
      credentials: opened.endpoint.credentialsOf(operationId),
      maxAttempts: 1,
    });
    try {
      const call = { FunctionName: 'job', InvocationType: 'Event', Payload: '{"a":1}', ...input } as const;
      const { StatusCode } = await client.send(new InvokeCommand(call));
      await lambda.settled();
      return StatusCode;
    } finally {
      client.destroy();
    }
  };

  test('a function starts the one that its grant names, with the event, and does not wait', async () => {
    expect(await invoke('starter')).toBe(202);
    expect(invoked).toEqual([['job', { a: 1 }]]);
  });

  test.each([
    ['a function without the permission', 'other', {}],
    ['another function than the one that the grant names', 'starter', { FunctionName: 'another' }],
  ])('%s is denied', async (_, operationId, input) => {
    await expect(invoke(operationId, input)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(opened.denials).toEqual([[operationId, 'lambda:InvokeFunction', expect.any(String)]]);
    expect(invoked).toEqual([]);
  });

  test.each([
    ['an event that is not JSON', { Payload: '{' }, 'InvalidRequestContentException'],
    [
      'a call that waits for the reply',
      { InvocationType: 'RequestResponse' },
      'InvalidParameterValueException',
    ],
  ] as const)('%s is refused', async (_, input, name) => {
    await expect(invoke('starter', input)).rejects.toMatchObject({ name });
    expect(invoked).toEqual([]);
  });
});

describe('the sealed log', () => {
  const logOf = (operationId: string, bucket: string = RESOURCES.sealedLog) =>
    connectSealedLog(
      { [ENVIRONMENT.sealedLog]: bucket },
      {
        endpoint: opened.endpoint.url,
        region: REGION,
        maxAttempts: 1,
        credentials: opened.endpoint.credentialsOf(operationId),
      },
    );

  test('an object is added once, and read as it was added', async () => {
    const log = logOf('audit-seal');
    const bytes = Buffer.alloc(2_000_000, 'x');
    expect(await log.read('2026-01-01/1.gz')).toBeUndefined();
    expect(await log.add('2026-01-01/1.gz', bytes)).toBe(true);
    expect(await log.add('2026-01-01/1.gz', Buffer.from('other'))).toBe(false);
    expect((await log.read('2026-01-01/1.gz'))?.equals(bytes)).toBe(true);
  });

  test('a function without the permission is denied', async () => {
    for (const log of [logOf('other'), logOf('audit-seal', 'Other')]) {
      for (const work of [
        () => log.read('2026-01-01/1.gz'),
        () => log.add('2026-01-01/9.gz', Buffer.from('x')),
        () => Array.fromAsync(log.keys()),
      ])
        await expect(work()).rejects.toMatchObject({ name: 'AccessDenied' });
    }
    expect(opened.denials.map(([, action]) => action)).toContain('s3:PutObject');
  });

  test('no key escapes the folder', async () => {
    await expect(logOf('audit-seal').add('../escaped', Buffer.from('x'))).rejects.toThrow();
  });
});

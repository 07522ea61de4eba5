import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as sdk from '@aws-sdk/lib-dynamodb';
import * as converters from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { CLIENT_OPTIONS, createClient } from '../../lambdas/store/connect.ts';
import { marshall, unmarshall } from '../../lambdas/store/hot-sdk/attributes.ts';
import * as hot from '../../lambdas/store/hot-sdk/dynamodb.ts';
import { DecryptCommand, KMSClient } from '../../lambdas/store/hot-sdk/kms.ts';
import { REGION } from '../../local/aws/account.ts';
import { openTestTable, TEST_CREDENTIALS, type TestTable } from '../support/rows/table.ts';
import { withServer } from '../support/server.ts';

const CALL = { KeyId: 'arn', EncryptionContext: { a: 'b' } };
const DECRYPT = new DecryptCommand({ ...CALL, CiphertextBlob: new Uint8Array([3]) });
const times = { connectionTimeout: 1_000, requestTimeout: 60_000 };

const environment = { ...process.env };
beforeEach(() => {
  process.env.AWS_ACCESS_KEY_ID = TEST_CREDENTIALS.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = TEST_CREDENTIALS.secretAccessKey;
});
afterEach(() => {
  process.env = { ...environment };
});

describe('items', () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
  );
  const { document } = fc.letrec((tie) => ({
    value: fc.oneof(scalar, fc.array(tie('value'), { maxLength: 3 }), tie('document')),
    document: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  }));
  const asJson = (item: unknown) =>
    JSON.parse(
      JSON.stringify(item, (_, value) =>
        value?.type === 'Buffer' || value instanceof Uint8Array
          ? Buffer.from(value.data ?? value).toString('base64')
          : value,
      ),
    );

  test('come back as they were stored, whatever they contain', () => {
    fc.assert(
      fc.property(document, (value) => {
        expect(unmarshall(JSON.parse(JSON.stringify(marshall(value as Record<string, unknown>))))).toEqual(
          value,
        );
      }),
    );
  });

  test('have the form that the SDK gives them', () => {
    const value = {
      s: 'a',
      n: -1.5e-30,
      t: true,
      z: null,
      b: new Uint8Array([1, 255]),
      l: [1, ['x']],
      m: { u: undefined, a: 1 },
    };
    expect(marshall(value)).toEqual(asJson(converters.marshall(value, { removeUndefinedValues: true })));
    const large = { N: '9007199254740993' };
    expect(unmarshall({ large })).toEqual(converters.unmarshall({ large }));
    for (const wrong of [{ a: Number.NaN }, { a: 1e300 }, { a: () => 1 }, { a: new Set(['a']) }])
      expect(() => marshall(wrong)).toThrow(TypeError);
  });
});

describe('calls of the engine', () => {
  let opened: TestTable;
  beforeAll(async () => {
    opened = await openTestTable();
  });
  afterAll(() => opened.stop());

  test('give what the SDK gives, in success and failure', async () => {
    const TableName = opened.table.name;
    const client = hot.DynamoDBDocumentClient.from(
      new hot.DynamoDBClient({ ...CLIENT_OPTIONS, endpoint: opened.endpoint, region: REGION }),
    );
    const original = createClient({
      endpoint: opened.endpoint,
      region: REGION,
      credentials: TEST_CREDENTIALS,
    });
    const Key = { pk: 'a', sk: 'b' };
    const Item = { ...Key, bytes: new Uint8Array([1, 2]), list: [1, 'x'], 'odd name': null };
    const query = {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'a' },
      Limit: 1,
    };
    const condition = {
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    } as const;
    const update = {
      TableName,
      Key,
      UpdateExpression: 'SET n = :n',
      ExpressionAttributeValues: { ':n': 5 },
      ReturnValues: 'ALL_NEW',
    } as const;
    const calls = [
      [hot.PutCommand, sdk.PutCommand, { TableName, Item }],
      [hot.PutCommand, sdk.PutCommand, { TableName, Item: { ...Item, sk: 'c' } }],
      [hot.GetCommand, sdk.GetCommand, { TableName, Key, ConsistentRead: true }],
      [hot.GetCommand, sdk.GetCommand, { TableName, Key: { ...Key, sk: 'missing' } }],
      [hot.QueryCommand, sdk.QueryCommand, query],
      [hot.QueryCommand, sdk.QueryCommand, { ...query, ExclusiveStartKey: Key }],
      [
        hot.BatchGetCommand,
        sdk.BatchGetCommand,
        { RequestItems: { [TableName]: { Keys: [Key], ConsistentRead: true } } },
      ],
      [hot.UpdateCommand, sdk.UpdateCommand, update],
      [hot.PutCommand, sdk.PutCommand, { TableName, Item, ...condition }],
      [hot.DeleteCommand, sdk.DeleteCommand, { TableName, Key, ReturnValues: 'ALL_OLD' }],
      [hot.GetCommand, sdk.GetCommand, { TableName: 'no-such-table', Key }],
    ] as const;
    const outcomeOf = async (sent: Promise<object>) => {
      try {
        const { $metadata: _, ...output } = (await sent) as { $metadata?: object };
        return output;
      } catch (error) {
        const { name, Item: unchanged } = error as Error & { Item?: never };
        return { name, unchanged: unchanged && converters.unmarshall(unchanged).list };
      }
    };
    const outcomes = [];
    for (const [Command, , input] of calls) outcomes.push(await outcomeOf(client.send(new Command(input))));
    const expected = [];
    for (const [, Command, input] of calls)
      expected.push(await outcomeOf(original.send(new Command(input as never) as never)));
    expect(outcomes).toEqual(expected);
    expect(outcomes[8]).toMatchObject({ name: 'ConditionalCheckFailedException', unchanged: [1, 'x'] });
    client.destroy();
    original.destroy();
  });
});

describe('a service that', () => {
  type Answer = (headers: IncomingHttpHeaders) => { status?: number; body?: object; date?: Date } | undefined;
  let answers: Answer[] = [];
  const requests: { readonly headers: IncomingHttpHeaders; readonly body: string; readonly port: unknown }[] =
    [];
  const service = withServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request), port: request.socket.remotePort });
    const { status = 200, body = {}, date } = answers.shift()?.(request.headers) ?? {};
    if (status === -1) return;
    if (status === 0) return void response.destroy();
    if (date !== undefined) response.setHeader('date', date.toUTCString());
    response.writeHead(status).end(JSON.stringify(body));
  });
  beforeEach(() => {
    requests.length = 0;
    answers = [];
  });
  const options = () => ({
    maxAttempts: 3,
    requestHandler: times,
    region: 'eu-west-1',
    endpoint: service.url,
  });
  const get = (client = new hot.DynamoDBClient(options())) =>
    client.send(new hot.GetCommand({ TableName: 't', Key: { pk: 'a', sk: 'b' } })).finally(client.destroy);
  const failure =
    (type: string, status = 400): Answer =>
    () => ({ status, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No.' } });
  const SUCCESS: Answer = () => ({ body: { Item: { pk: { S: 'a' } } } });

  test('fails or closes the connection is called again, three times in all', async () => {
    const failures: Answer[] = [failure('InternalServerError', 503), () => ({ status: 0 })];
    answers = [...failures, SUCCESS];
    expect(await get()).toEqual({ Item: { pk: 'a' } });
    answers = [...failures, ...failures];
    await expect(get()).rejects.toThrow();
    expect(requests).toHaveLength(6);
  });

  test.each(['ProvisionedThroughputExceededException', 'ExpiredTokenException', 'AccessDeniedException'])(
    'answers %s is not called again here',
    async (name) => {
      answers = [failure(name)];
      await expect(get()).rejects.toMatchObject({ name, message: 'No.', $metadata: { httpStatusCode: 400 } });
      expect(requests).toHaveLength(1);
    },
  );

  test('throttles KMS is asked again', async () => {
    answers = [failure('ThrottlingException'), () => ({ body: { Plaintext: 'AQI=' } })];
    expect(await new KMSClient(options()).send(DECRYPT)).toEqual({ Plaintext: new Uint8Array([1, 2]) });
  });

  test('gets the credentials of the environment as they are at each call', async () => {
    answers = [failure('ExpiredTokenException'), SUCCESS];
    const client = new hot.DynamoDBClient(options());
    process.env.AWS_SESSION_TOKEN = 'first';
    await expect(get(client)).rejects.toMatchObject({ name: 'ExpiredTokenException' });
    process.env.AWS_SESSION_TOKEN = 'second';
    await get(client);
    expect(requests.map(({ headers }) => headers['x-amz-security-token'])).toEqual(['first', 'second']);
    expect(requests[1]?.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-security-token/);
    delete process.env.AWS_SECRET_ACCESS_KEY;
    await expect(get()).rejects.toThrow('no credentials');
  });

  test('has another time is called again with its time', async () => {
    const date = new Date(Date.now() - 3_600_000);
    answers = [(...call) => ({ ...failure('InvalidSignatureException')(...call), date }), SUCCESS];
    await get();
    const hourOf = ({ headers }: { headers: IncomingHttpHeaders } = { headers: {} }) =>
      String(headers['x-amz-date']).slice(0, 11);
    expect(hourOf(requests[1])).toBe(date.toISOString().replaceAll(/[-:]/g, '').slice(0, 11));
    answers = [failure('InvalidSignatureException')];
    await expect(get()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
  });

  test('does not answer in time is an error that says so', async () => {
    answers = [() => ({ status: -1 })];
    const quick = { ...options(), maxAttempts: 1, requestHandler: { ...times, requestTimeout: 1 } };
    await expect(get(new hot.DynamoDBClient(quick))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('is connected to while a container of Lambda starts, and the first call uses this connection', async () => {
    process.env.AWS_LAMBDA_INITIALIZATION_TYPE = 'on-demand';
    const kms = new KMSClient(options());
    // The request that was given up in the test before may come late.
    const opening = () => requests.find(({ headers }) => headers['x-amz-target'] === undefined);
    while (opening() === undefined) await pause(5);
    // Client and server are in this process: both have done their part after some turns.
    for (let turn = 0; turn < 2_000; turn++) await new Promise((resolve) => setImmediate(resolve));
    answers = [() => ({ body: { Plaintext: 'AQI=' } })];
    expect(await kms.send(DECRYPT)).toEqual({ Plaintext: new Uint8Array([1, 2]) });
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toEqual({ ...CALL, CiphertextBlob: 'Aw==' });
    expect(requests.at(-1)?.port).toBe(opening()?.port);
    expect(opening()?.headers.authorization).toBeUndefined();
  });

  test('cannot be connected to while a container starts harms nothing', async () => {
    process.env.AWS_LAMBDA_INITIALIZATION_TYPE = 'on-demand';
    expect(() => new hot.DynamoDBClient({ ...options(), endpoint: 'http://127.0.0.1:1' })).not.toThrow();
    await pause(20);
  });
});

test('the address is that of the region, or what the environment names', async () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
  const client = new hot.DynamoDBClient({ maxAttempts: 1, requestHandler: times, region: 'eu-west-1' });
  await expect(client.send(new hot.GetCommand({}))).rejects.toMatchObject({ code: 'ECONNREFUSED', port: 1 });
});

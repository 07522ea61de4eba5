import { setTimeout as sleep } from 'node:timers/promises';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { RESERVED_MS, withDeadline } from '../../lambdas/core/deadline.ts';
import { CLIENT_OPTIONS, connectTable, QUICK_OPTIONS } from '../../lambdas/store/connect.ts';
import { DynamoDBClient, GetCommand } from '../../lambdas/store/hot-sdk/dynamodb.ts';
import { getItem, putItem, type Table } from '../../lambdas/store/table.ts';
import { ConflictError, retryOnConflict, transact } from '../../lambdas/store/transactions.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { REGION } from '../../local/aws/account.ts';
import { intercepted, throttled } from '../support/aws/intercept.ts';
import { expectRefused, TEST_CREDENTIALS, table, withTestTable } from '../support/rows/table.ts';
import { withServer } from '../support/server.ts';

const KEY = { pk: 'F', sk: 'f' };

const connectedTo = (endpoint: string, options = {}): Table =>
  connectTable(
    { [ENVIRONMENT.table]: 'cuevault-test' },
    { ...options, endpoint, region: REGION, credentials: TEST_CREDENTIALS },
  );

describe('a service that takes a request and never answers it', () => {
  let calls = 0;
  const service = withServer((request, response) => {
    request.resume();
    calls += 1;
    if (calls > 1) response.end(JSON.stringify({ Item: { pk: { S: 'F' }, sk: { S: 'f' } } }));
  });

  test('is called again instead of blocking until the function times out', async () => {
    const unanswered = connectedTo(service.url, QUICK_OPTIONS);
    expect(await getItem(unanswered, KEY)).toEqual(KEY);
    expect(calls).toBe(2);
    unanswered.client.destroy();
  }, 15_000);
});

describe('an engine that takes 200 ms for each call and refuses it', () => {
  let calls = 0;
  let refusal: object = {};
  const engine = withServer(async (request, response) => {
    request.resume();
    calls += 1;
    await sleep(200);
    response.writeHead('status' in refusal ? Number(refusal.status) : 400).end(JSON.stringify(refusal));
  });
  beforeAll(() => {
    Object.assign(process.env, {
      AWS_ACCESS_KEY_ID: TEST_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: TEST_CREDENTIALS.secretAccessKey,
    });
  });

  const slow = () => connectedTo(engine.url);
  const TYPE = 'com.amazonaws.dynamodb.v20120810#';
  const broken = { status: 500, __type: `${TYPE}InternalServerError` };
  const busy = { __type: `${TYPE}ProvisionedThroughputExceededException` };
  const taken = {
    __type: `${TYPE}TransactionCanceledException`,
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  };
  const hotClient = () =>
    new DynamoDBClient({ ...CLIENT_OPTIONS, endpoint: engine.url, region: REGION } as ConstructorParameters<
      typeof DynamoDBClient
    >[0]);

  test.each([
    ['the light SDK', 3, broken, () => hotClient().send(new GetCommand({ TableName: 't', Key: KEY }))],
    ['the SDK', 3, broken, () => getItem(slow(), KEY)],
    ['throttling', 7, busy, () => getItem(slow(), KEY)],
    ['transactions', 6, taken, () => transact(slow(), [{ put: { Item: KEY } }])],
    [
      'lost races',
      12,
      taken,
      () =>
        retryOnConflict(async () => {
          calls += 1;
          await sleep(200);
          throw new ConflictError('row');
        }),
    ],
  ] as const)(
    'is called again by %s %d times at most, and not after the end of a call',
    async (...layer) => {
      const [, most, answer, send] = layer;
      refusal = answer;
      calls = 0;
      const began = performance.now();
      const call = { getRemainingTimeInMillis: () => RESERVED_MS + 300 };
      await expect(withDeadline<unknown>(call, send)).rejects.toThrow();
      expect(calls).toBeLessThan(3);
      expect(performance.now() - began).toBeLessThan(1_500);
      calls = 0;
      await expect(send()).rejects.toThrow();
      expect(calls).toBe(most);
    },
    30_000,
  );
});

describe('transient rejections by DynamoDB', () => {
  withTestTable();

  const failing = (name: string, details: object = {}): Error =>
    Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 400 }, ...details });

  test('a write that conflicts with a transaction is unavailable, not internal', async () => {
    const busy = intercepted(table, () => Promise.reject(failing('TransactionConflictException')));
    await expectRefused(deleteItem(busy, KEY), 'unavailable');
  });

  test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
    'a transaction that was cancelled for %s is tried again',
    async (Code) => {
      let calls = 0;
      const busy = intercepted(table, async (_call, next) => {
        calls += 1;
        if (calls > 1) return next();
        throw failing('TransactionCanceledException', { CancellationReasons: [{ Code }] });
      });
      await transact(busy, [{ put: { Item: { ...KEY, sk: Code } } }]);
      expect(await getItem(table, { ...KEY, sk: Code })).toBeDefined();
    },
  );

  test('a throttled write is repeated', async () => {
    let calls = 0;
    const busy = intercepted(table, (_call, next) => (++calls === 1 ? Promise.reject(throttled()) : next()));
    await putItem(busy, { ...KEY, sk: 'throttled' });
    expect(await getItem(table, { ...KEY, sk: 'throttled' })).toBeDefined();
  });

  test('a transaction whose answer was lost is repeated as the same transaction', async () => {
    const tokens: unknown[] = [];
    const watched = intercepted(table, async ({ input }, next) => {
      tokens.push(input.ClientRequestToken);
      const reply = await next();
      if (tokens.length === 1) throw failing('TransactionInProgressException');
      return reply;
    });
    const Item = { ...KEY, sk: 'once' };
    await transact(watched, [{ put: { Item, ConditionExpression: 'attribute_not_exists(pk)' } }]);
    expect(tokens).toEqual([expect.any(String), tokens[0]]);
  });
});

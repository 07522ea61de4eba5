import { createServer, type Server } from 'node:http';
import { ENVIRONMENT } from '../../contract/functions/environment.ts';
import { connectTable, QUICK_OPTIONS } from '../../lambdas/store/connect.ts';
import { getItem, putItem, type Table } from '../../lambdas/store/table.ts';
import { transact } from '../../lambdas/store/transactions.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { REGION } from '../../local/aws/account.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { intercepted, throttled } from '../support/aws/intercept.ts';
import { TEST_CREDENTIALS, table, withTestTable } from '../support/rows/table.ts';

const KEY = { pk: 'F', sk: 'f' };

describe('a service that takes a request and never answers it', () => {
  let server: Server;
  let unanswered: Table;
  let calls = 0;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      calls += 1;
      if (calls > 1) response.end(JSON.stringify({ Item: { pk: { S: 'F' }, sk: { S: 'f' } } }));
    });
    const endpoint = `http://${await listenOnLoopback(server)}`;
    const options = { ...QUICK_OPTIONS, endpoint, region: REGION, credentials: TEST_CREDENTIALS };
    unanswered = connectTable({ [ENVIRONMENT.table]: 'cuevault-test' }, options);
  });
  afterAll(() => {
    unanswered.client.destroy();
    server.closeAllConnections();
    server.close();
  });

  test('is called again instead of blocking until the function times out', async () => {
    expect(await getItem(unanswered, KEY)).toEqual(KEY);
    expect(calls).toBe(2);
  }, 15_000);
});

describe('transient rejections by DynamoDB', () => {
  withTestTable();

  const failing = (name: string, details: object = {}): Error =>
    Object.assign(new Error(name), { name, $metadata: { httpStatusCode: 400 }, ...details });

  test('a write that conflicts with a transaction is unavailable, not internal', async () => {
    const busy = intercepted(table, () => Promise.reject(failing('TransactionConflictException')));
    await expect(deleteItem(busy, KEY)).rejects.toMatchObject({ code: 'unavailable' });
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

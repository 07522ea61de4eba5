import {
  allApiKeys,
  createApiKey,
  narrowApiKey,
  revokeApiKey,
} from '../../../lambdas/store/api-keys/api-keys.ts';
import { countCall, keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { lastUseOf } from '../../support/rows/usage.ts';

withTestTable();

const input = { name: 'web app', permissions: ['prompts'] } as const;

test('a change of a key that was revoked meanwhile is refused', async () => {
  const { record } = await createApiKey(table, changeAt(), input);
  const revokedMeanwhile = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand') await revokeApiKey(table, changeAt(), record.keyId);
  });
  await expect(narrowApiKey(revokedMeanwhile, changeAt(), record.keyId, { name: 'x' })).rejects.toMatchObject(
    { code: 'changed_meanwhile' },
  );
});

test('a change that commits while a key is revoked neither stops it nor is lost in lists', async () => {
  const { record } = await createApiKey(table, changeAt(), input);
  const names = ['renamed', 'renamed again'];
  const racing = beforeEachCall(table, async (operation) => {
    const name = operation === 'TransactWriteCommand' ? names.shift() : undefined;
    if (name !== undefined) await narrowApiKey(table, changeAt(), record.keyId, { name });
  });
  const revoked = await revokeApiKey(racing, changeAt(), record.keyId);
  const listed = (await allApiKeys(table)).find(({ keyId }) => keyId === record.keyId);
  expect([listed?.name, listed?.revokedAt]).toEqual(['renamed again', revoked.revokedAt]);
});

test('the last use of a key only moves forward', async () => {
  for (const hour of ['10', '12', '11']) {
    await keepLastUse(table, 'used0001', `2031-05-05T${hour}:00:00.000Z`);
  }
  expect(await lastUseOf(table, 'used0001')).toBe('2031-05-05T12:00:00.000Z');
  expect(await lastUseOf(table, 'unused01')).toBeUndefined();
});

describe('calls from code', () => {
  const at = (second: number) => new Date(Date.UTC(2031, 4, 5, 10, 0, second));
  const limited = () => ({ ...table, settings: { ...table.settings, publishRate: 1 } });
  const newKey = async () => (await createApiKey(table, changeAt(), input)).record;

  test('of simultaneous calls exactly as many pass as the rate allows in ten seconds, and more with the next ten', async () => {
    const key = await newKey();
    const calls = Array.from({ length: 15 }, () => countCall(limited(), key, at(7)));
    const refused = (await Promise.allSettled(calls)).flatMap((call) =>
      call.status === 'rejected' ? [call.reason] : [],
    );
    expect(refused).toHaveLength(5);
    expect(refused[0]).toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '3' } });
    await expect(countCall(limited(), key, at(9))).rejects.toMatchObject({ code: 'rate_limited' });
    await countCall(limited(), key, at(10));
    expect(await lastUseOf(table, key.keyId)).toBe(at(10).toISOString());
  });

  test('count in the window of a container whose clock is ahead, and without a rate in none', async () => {
    const key = await newKey();
    await countCall(limited(), key, at(10));
    for (let call = 2; call <= 10; call++) await countCall(limited(), key, at(9));
    await expect(countCall(limited(), key, at(9))).rejects.toMatchObject({ code: 'rate_limited' });
    await countCall(table, key, at(9));
  });
});

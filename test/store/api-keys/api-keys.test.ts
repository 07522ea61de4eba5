import type { ApiKey } from '../../../lambdas/core/api-keys/rules.ts';
import { allApiKeys, narrowApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { countCall, keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { newApiKey } from '../../support/rows/api-keys.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { lastUseOf } from '../../support/rows/usage.ts';

withTestTable();

test.each<[string, (keyId: string) => Promise<unknown>]>([
  ['revoked', (keyId) => revokeApiKey(table, changeAt(), keyId)],
  ['changed', (keyId) => narrowApiKey(table, changeAt(), keyId, { name: 'y' })],
])('a change of a key that was %s meanwhile is refused', async (_, act) => {
  const { keyId } = await newApiKey(table);
  const racing = beforeEachCall(table, async (operation) => {
    if (operation === 'TransactWriteCommand') await act(keyId);
  });
  await expectRefused(narrowApiKey(racing, changeAt(), keyId, { name: 'x' }), 'changed_meanwhile');
});

test('a change that commits while a key is revoked neither stops it nor is lost in lists', async () => {
  const { keyId } = await newApiKey(table);
  const names = ['renamed', 'renamed again'];
  const racing = beforeEachCall(table, async (operation) => {
    const name = operation === 'TransactWriteCommand' ? names.shift() : undefined;
    if (name !== undefined) await narrowApiKey(table, changeAt(), keyId, { name });
  });
  const revoked = await revokeApiKey(racing, changeAt(), keyId);
  const listed = (await allApiKeys(table)).find((each) => each.keyId === keyId);
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
  const at = (seconds: number) => new Date(Date.UTC(2031, 4, 5, 10) + seconds * 1_000);
  const limited = () => ({ ...table, settings: { ...table.settings, publishRate: 1 } });
  const isAdmitted = (key: ApiKey, seconds: number) =>
    countCall(limited(), key, at(seconds)).then(
      () => true,
      ({ code, headers }) => {
        expect([code, Number(headers['retry-after']) > 0]).toEqual(['rate_limited', true]);
        return false;
      },
    );

  test('in any ten seconds as many pass as the rate allows, whenever they begin: never 61 in 60 seconds', async () => {
    const { record: key } = await newApiKey(table);
    const passed: number[] = [];
    for (let i = 0; i < 220; i++) if (await isAdmitted(key, 9.5 + i / 2)) passed.push(9.5 + i / 2);
    const most = (seconds: number) =>
      Math.max(
        ...passed.map((from) => passed.filter((each) => each >= from && each < from + seconds).length),
      );
    expect([most(10), most(60) <= 60]).toEqual([10, true]);
    expect(passed.slice(0, 5)).toEqual([9.5, 10, 10.5, 11, 11.5]);
    expect(passed.length).toBeGreaterThan(60);
  });

  test('of simultaneous calls exactly half of them pass, and the last use is known, also of a key that never pauses', async () => {
    const { record: key } = await newApiKey(table);
    const admitted = await Promise.all(Array.from({ length: 15 }, () => isAdmitted(key, 7)));
    expect(admitted.filter((each) => each)).toHaveLength(5);
    for (const seconds of [9, 11, 13, 15, 17, 19]) expect(await isAdmitted(key, seconds)).toBe(true);
    expect(await lastUseOf(table, key.keyId)).toBe(at(17).toISOString());
  });

  test('are not refused for longer because a clock was set back, and without a rate never', async () => {
    const { record: key } = await newApiKey(table);
    await countCall(limited(), key, at(3_600));
    expect(await isAdmitted(key, 0)).toBe(true);
    await Promise.all(Array.from({ length: 50 }, () => countCall(table, key, at(1))));
  });
});

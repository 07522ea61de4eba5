import { createTokenBucket } from '../../../local/gateway/token-bucket.ts';

test('so many at once, then one for each lapse of time, never more than so many', () => {
  let now = 0;
  const { take, giveBack } = createTokenBucket(2, 6_000, () => now);
  expect([take(), take(), take()]).toEqual([true, true, false]);
  now += 5_999;
  expect(take()).toBe(false);
  now += 1;
  expect([take(), take()]).toEqual([true, false]);
  now += 3_600_000;
  expect([take(), take(), take()]).toEqual([true, true, false]);
  giveBack();
  expect([take(), take()]).toEqual([true, false]);
});

import { DAY_MS } from '../../../lambdas/core/days.ts';
import { getItem } from '../../../lambdas/store/table.ts';
import { createDayRows } from '../../../lambdas/store/usage/day-rows.ts';
import {
  readRecent,
  readSecretReads,
  readsKey,
  readUsageDays,
  topOfDays,
} from '../../../lambdas/store/usage/days.ts';
import { countingCalls } from '../../support/aws/intercept.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { countRead, countUses } from '../../support/rows/usage.ts';

withTestTable();

const NOW = new Date('2026-03-10T12:00:00.000Z');
const hours = (count: number): Date => new Date(NOW.getTime() + count * (DAY_MS / 24));

const use = (promptId: string, apiKeyId = 'k1', version = '1.0.0') => ({ promptId, version, apiKeyId });

test('days are the sums of their counters, however often they are computed, late counts join them, and a prompt has thirty', async () => {
  await countUses(table, use('prm_a'), hours(-24), 3);
  await countUses(table, use('prm_a', 'k2', '2.0.0'), hours(0), 2);
  await countUses(table, use('prm_b', 'k2'), hours(-1), 5);
  for (const days of [29, 30]) await countUses(table, use('prm_b'), hours(-24 * days), days);
  await countRead(table, 'k1', ['sec_1', 'sec_2'], hours(-2));
  const compute = createDayRows(table);
  await Promise.all([compute(NOW), createDayRows(table)(NOW), compute(NOW)]);
  const days = await readUsageDays(table, 2, NOW);
  expect(days.map(({ day, fetches, reads }) => [day, fetches, reads])).toEqual([
    ['2026-03-09', 3, 0],
    ['2026-03-10', 7, 1],
  ]);
  expect(days[1]?.apiKeys).toEqual(
    new Map([
      ['k1', { fetches: 0, reads: 1 }],
      ['k2', { fetches: 7, reads: 0 }],
    ]),
  );
  expect(
    topOfDays(days)
      .get('prm_a')
      ?.map(({ version, count }) => [version, count]),
  ).toEqual([
    ['1.0.0', 3],
    ['2.0.0', 2],
  ]);
  expect(await readSecretReads(table, 1, NOW)).toEqual([
    { apiKeyId: 'k1', digest: 'sec_1,sec_2', count: 1, lastAt: hours(-2).toISOString(), revisions: [1, 1] },
  ]);
  // As long as the counters, and not only as long as screens show days.
  const { ttl } = (await getItem(table, readsKey('2026-03-10', 0))) ?? {};
  expect(ttl).toBe(Date.UTC(2026, 2, 10 + table.settings.accessDays) / 1000);
  const recent = await readRecent(table, ['prm_a', 'prm_b', 'prm_none'], NOW);
  const countsOf = (id: string) => recent.get(id)?.map((versions) => versions.map(({ count }) => count));
  expect(countsOf('prm_a')?.slice(-2)).toEqual([[3], [2]]);
  expect(countsOf('prm_b')).toEqual([[29], ...Array.from({ length: 28 }, () => []), [5]]);
  // The stream of yesterday was late.
  await countUses(table, use('prm_a'), hours(-23), 4);
  await compute(hours(2));
  expect((await readUsageDays(table, 2, NOW))[0]?.fetches).toBe(7);
});

test('a run after which nothing was used reads two lists and writes nothing, and a settled day is never read again', async () => {
  const later = new Date(NOW.getTime() + 100 * DAY_MS);
  await countUses(table, use('prm_c', 'k3'), later, 1);
  const { counted, calls } = countingCalls(table);
  const compute = createDayRows(counted);
  expect((await compute(later)).at(-1)).toBe(later.toISOString().slice(0, 10));
  calls.length = 0;
  expect(await compute(new Date(later.getTime() + 300_000))).toEqual([]);
  expect(calls).toEqual(['QueryCommand', 'QueryCommand']);
  const next = new Date(later.getTime() + 2 * DAY_MS);
  expect(await compute(next)).toHaveLength(2);
  expect(await compute(new Date(next.getTime() + DAY_MS))).toEqual([]);
});

test('the row of a day names the hundred most fetched prompts, and a prompt that is not among them is still counted', async () => {
  const day = new Date(NOW.getTime() + 200 * DAY_MS);
  for (let i = 1; i <= 103; i++) await countUses(table, use(`prm_${i}`, 'k4'), day, i);
  await createDayRows(table)(day);
  const [row] = await readUsageDays(table, 1, day);
  expect([row?.fetches, row?.top.size, row?.top.has('prm_3'), row?.top.has('prm_4')]).toEqual([
    (103 * 104) / 2,
    100,
    false,
    true,
  ]);
  expect((await readRecent(table, 'all', day)).get('prm_1')?.at(-1)).toMatchObject([{ count: 1 }]);
});

import type { NewItem } from '../../../lambdas/store/stream.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { getItem, putItem } from '../../../lambdas/store/table.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import { usageCounter, usageOf } from '../../../lambdas/store/usage/counters.ts';
import { readCounter } from '../../../lambdas/store/usage/secret-reads.ts';
import { recount } from '../../../scripts/recount/counters.ts';
import { intercepted } from '../../support/aws/intercept.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { accessOf, countUses } from '../../support/rows/usage.ts';

withTestTable();

const NOON = Date.parse('2026-03-10T12:00:00.000Z');
const minutes = (count: number) => new Date(NOON + count * 60_000);

test('a recount while counting is paused loses nothing and counts nothing twice, whatever is left in the stream', async () => {
  const { promptId } = await newPrompt(table, { at: minutes(-60) });
  const records: NewItem[] = [];
  const watched = intercepted(table, ({ name, input }, next) => {
    const sequence = String(records.length + 1).padStart(40, '0');
    if (name === 'PutCommand') records.push({ sequence, after: input.Item as Item });
    return next();
  });
  const use = { promptId, version: '1.0.0', apiKeyId: 'k' };
  const access = (at: Date) => recordAccess(watched, accessOf({ ...use, at }));
  const counted = async () => (await usageOf(table, promptId, 1, minutes(60))).map(({ count }) => count);
  const consume = createUsageConsumer(table);
  for (let n = 0; n < 20; n++) await access(minutes(n - 20));
  await consume(records.slice(0, 12));
  // The counters are wrong: one is missing, one is too high, and one counts something that does not exist.
  await putItem(table, {
    ...usageCounter('2026-03-10', use),
    count: 1_000,
    lastAt: minutes(0).toISOString(),
  });
  await countUses(table, { ...use, apiKeyId: 'nobody' }, minutes(-1), 7);
  for (let n = 0; n < 5; n++) await access(minutes(n + 1));

  expect(await recount(table, 2, minutes(0.5))).toEqual({ days: 2, entries: 20, counters: 1, removed: 1 });
  expect(await counted()).toEqual([20]);
  await consume(records.slice(10));
  await consume(records.slice(8, 23));
  expect(await counted()).toEqual([25]);
});

test('counters of days whose entries have begun to expire stay as they are', async () => {
  const settings = { ...table.settings, accessDays: 90, readDays: 1 };
  const reads = {
    ...readCounter('2026-03-08', { apiKeyId: 'k', digest: 'd' }),
    count: 7,
    lastAt: '2026-03-08',
  };
  await putItem(table, reads);
  await recount({ ...table, settings }, 7, minutes(0));
  expect(await getItem(table, { pk: reads.pk, sk: reads.sk })).toMatchObject({ count: 7 });
  await recount(table, 7, minutes(0));
  expect(await getItem(table, { pk: reads.pk, sk: reads.sk })).toBeUndefined();
});

import { keepLastUse } from '../../../lambdas/store/api-keys/uses.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import type { NewItem } from '../../../lambdas/store/stream.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { getItem, putItem } from '../../../lambdas/store/table.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { createUsageConsumer } from '../../../lambdas/store/usage/consume.ts';
import { usageCounter } from '../../../lambdas/store/usage/counters.ts';
import { createDayRows } from '../../../lambdas/store/usage/day-rows.ts';
import { readUsageDays } from '../../../lambdas/store/usage/days.ts';
import { readCounter, secretReadsOf } from '../../../lambdas/store/usage/secret-reads.ts';
import { recount } from '../../../scripts/recount/counters.ts';
import { beforeEachCall, intercepted } from '../../support/aws/intercept.ts';
import { readOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { accessOf, countUses, usageOf } from '../../support/rows/usage.ts';

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

test('reads of secrets are counted again, apart for each environment, with the revisions of its vault', async () => {
  const apiKeyId = 'k1234567';
  const reads = [
    ['default', 5],
    ['default', 3],
    ['staging', 7],
    ['default', 4],
  ] as const;
  for (const [i, [environment, revision]] of reads.entries()) {
    const of = { environment, revision, digest: `of ${environment}`, requestId: `read-${i}` };
    await writeAuditRead(table, readOf({ ...of, apiKeyId, at: minutes(i - 9) }));
  }
  await keepLastUse(table, apiKeyId, minutes(0).toISOString());
  await recount(table, 2, minutes(0));
  expect(await secretReadsOf(table, apiKeyId, '2026-03-10', '2026-03-10')).toEqual([
    { apiKeyId, digest: 'of default', count: 3, lastAt: minutes(-6).toISOString(), revisions: [3, 5] },
    { apiKeyId, digest: 'of staging', count: 1, lastAt: minutes(-7).toISOString(), revisions: [7, 7] },
  ]);
});

test('counters of days whose entries have begun to expire stay as they are', async () => {
  const settings = { ...table.settings, accessDays: 90, readDays: 1 };
  const key = readCounter('2026-03-08', { apiKeyId: 'k', digest: 'd' });
  await putItem(table, { ...key, count: 7, lastAt: '2026-03-08' });
  await recount({ ...table, settings }, 7, minutes(0));
  expect(await getItem(table, key)).toMatchObject({ count: 7 });
  await recount(table, 7, minutes(0));
  expect(await getItem(table, key)).toBeUndefined();
});

test('a run of the job that read counters before a recount replaced them does not write their sum', async () => {
  const at = new Date('2026-05-10T12:00:00.000Z');
  const now = new Date('2026-05-15T12:00:00.000Z');
  const { promptId } = await newPrompt(table, { at });
  const use = { promptId, version: '1.0.0', apiKeyId: 'k' };
  await recordAccess(table, accessOf({ ...use, at }));
  await countUses(table, use, at, 1_000);
  let recounts = 0;
  // The job writes after it has read all counters of these days.
  const slow = beforeEachCall(table, async (operation) => {
    if (operation === 'UpdateCommand' && recounts++ === 0) await recount(table, 7, now);
  });
  await createDayRows(slow)(now);
  expect(recounts).toBeGreaterThan(0);
  await createDayRows(table)(now);
  expect((await readUsageDays(table, 6, now))[0]).toMatchObject({ day: '2026-05-10', fetches: 1 });
});

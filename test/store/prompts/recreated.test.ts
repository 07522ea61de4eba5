import { daysAfter } from '../../../lambdas/core/days.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { readLiveHead } from '../../../lambdas/store/prompts/lookups.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { createDayRows } from '../../../lambdas/store/usage/day-rows.ts';
import { searchAccesses } from '../../../lambdas/store/views/access-search.ts';
import { requireUnused } from '../../../lambdas/store/views/deletion-guard.ts';
import { effectsOf } from '../../../lambdas/store/views/effects.ts';
import { createOverview } from '../../../lambdas/store/views/overview.ts';
import { promptPage } from '../../../lambdas/store/views/prompt-page.ts';
import { listPromptRows } from '../../../lambdas/store/views/prompt-rows.ts';
import { usageSeries } from '../../../lambdas/store/views/usage-series.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { accessOf, countUses } from '../../support/rows/usage.ts';
import { table, withTestVaults } from '../../support/rows/vault.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const daysAgo = (days: number) => daysAfter(NOW, -days);

withTestVaults();

const fetched = async (promptId: string, version: string, days: number) => {
  const use = { promptId, version, apiKeyId: 'k1234567' };
  await recordAccess(table, accessOf({ ...use, at: daysAgo(days) }));
  await countUses(table, use, daysAgo(days));
};

/** The usage of the prompt in every place that shows it. */
const usageShown = async (promptId: string) => {
  await createDayRows(table)(NOW);
  const listing = { view: 'all', sort: 'name', order: 'asc', limit: 10 } as const;
  const range = { from: '2026-03-01', to: '2026-03-31', limit: 10 };
  const [row] = (await listPromptRows(table, NOW, listing)).entries;
  const { topPrompts } = await createOverview(table)(30, NOW);
  const { counts, keys } = await usageSeries(table, promptId, 30, NOW);
  const asked = { changes: [{ promptId }], content: undefined, affected: true };
  const { affected, earlier } = await effectsOf(table, asked, NOW);
  return {
    row: row?.fetches.count,
    prompt: (await promptPage(table, promptId, NOW)).fetches.count,
    topPrompts: topPrompts.map(({ fetches }) => fetches),
    series: counts.reduce((sum, { count }) => sum + count, 0),
    keys: keys.length,
    accesses: (await searchAccesses(table, promptId, range, {})).items.length,
    callers: [affected, earlier].map((each) => each?.length),
  };
};

test('a recreated prompt has no usage of the deleted one, neither on earlier days nor on the same day', async () => {
  const { promptId } = await newPrompt(table, { at: daysAgo(3), name: 'again' });
  for (const days of [2, 0.1, 0.1]) await fetched(promptId, '1.0.0', days);
  expect(await usageShown(promptId)).toMatchObject({
    row: 3,
    prompt: 3,
    topPrompts: [3],
    series: 3,
    accesses: 3,
  });

  await deletePrompt(table, changeAt(daysAgo(0.01)), promptId);
  await newPrompt(table, { at: NOW, name: 'again', overDeleted: true });
  expect(await usageShown(promptId)).toEqual({
    row: 0,
    prompt: 0,
    topPrompts: [],
    series: 0,
    keys: 0,
    accesses: 0,
    callers: [0, 0],
  });
  await requireUnused(table, promptId, NOW);

  const { latest } = await readLiveHead(table, promptId);
  await fetched(promptId, latest, 0);
  expect(await usageShown(promptId)).toEqual({
    row: 1,
    prompt: 1,
    topPrompts: [1],
    series: 1,
    keys: 1,
    accesses: 1,
    callers: [1, 0],
  });
  await expect(requireUnused(table, promptId, NOW)).rejects.toMatchObject({
    message: expect.stringContaining('fetched once'),
  });
});

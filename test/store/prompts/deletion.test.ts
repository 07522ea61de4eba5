import { daysAfter } from '../../../lambdas/core/days.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { readLiveHead } from '../../../lambdas/store/prompts/lookups.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { createDayRows } from '../../../lambdas/store/usage/day-rows.ts';
import { searchAccesses } from '../../../lambdas/store/views/access-search.ts';
import { requireUnused } from '../../../lambdas/store/views/deletion-guard.ts';
import { effectsOf } from '../../../lambdas/store/views/effects.ts';
import { createOverview } from '../../../lambdas/store/views/overview.ts';
import { promptPage } from '../../../lambdas/store/views/prompt-page.ts';
import { listPromptRows } from '../../../lambdas/store/views/prompt-rows.ts';
import { usageSeries } from '../../../lambdas/store/views/usage-series.ts';
import { countingCalls } from '../../support/aws/intercept.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused } from '../../support/rows/table.ts';
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

describe('before a prompt is deleted', () => {
  const NOW = new Date('2026-03-10T00:00:30Z');
  const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

  test('a fetch that the stream has not counted yet keeps a prompt from being deleted, also across midnight', async () => {
    for (const seconds of [0, 45, 119]) {
      const { promptId } = await newPrompt(table, { at: secondsAgo(86_400) });
      await requireUnused(table, promptId, NOW);
      await recordAccess(table, accessOf({ promptId, at: secondsAgo(seconds) }));
      await expectRefused(requireUnused(table, promptId, NOW), 'in_use', 'fetched once');
    }
  });

  test('a deletion reads what includes the prompt, twenty of them at most, and not the other prompts', async () => {
    const at = secondsAgo(86_400);
    const { promptId, name } = await newPrompt(table, { at });
    const included = { includes: [{ name, version: '1.0.0', contentHash: '' }] };
    const written = { ...included, authored: { prompt: 'x', variables: {}, depth: 1 } };
    const includers: string[] = [];
    for (let i = 0; i < 25; i++)
      includers.push((await newPrompt(table, { at, ...written, name: `${name} ${i}` })).promptId);
    const { counted, calls } = countingCalls(table);
    await expectRefused(
      requireUnused(counted, promptId, NOW),
      'in_use',
      'and 10 and more. They keep its text',
    );
    // Beside the head, its counters and entries: who includes it, their heads in one batch, and 20 versions.
    expect(calls.filter((call) => call === 'BatchGetCommand')).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(30);
    for (const id of includers) await deletePrompt(table, changeAt(at), id);
    await requireUnused(table, promptId, NOW);
    expect(await purgePrompts(table, new Date(NOW.getTime() + 30 * 86_400_000))).toBe(25);
    calls.length = 0;
    await requireUnused(counted, promptId, NOW);
    expect(calls).not.toContain('BatchGetCommand');
  });
});

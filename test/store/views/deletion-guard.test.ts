import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { requireUnused } from '../../../lambdas/store/views/deletion-guard.ts';
import { countingCalls } from '../../support/aws/intercept.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt, expectRefused, table, withTestTable } from '../../support/rows/table.ts';
import { accessOf, countUses } from '../../support/rows/usage.ts';

withTestTable();

const NOW = new Date('2026-03-10T00:00:30Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

const use = (promptId: string) => ({ promptId, version: '1.0.0', apiKeyId: 'k1234567' });
const fetched = (promptId: string, at: Date) => recordAccess(table, accessOf({ ...use(promptId), at }));

test('a fetch that the stream has not counted yet keeps a prompt from being deleted, also across midnight', async () => {
  for (const seconds of [0, 45, 119]) {
    const { promptId } = await newPrompt(table, { at: secondsAgo(86_400) });
    await requireUnused(table, promptId, NOW);
    await fetched(promptId, secondsAgo(seconds));
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
  await expectRefused(requireUnused(counted, promptId, NOW), 'in_use', 'and 10 and more. They keep its text');
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

import { recordAccess } from '../../../lambdas/store/usage/accesses.ts';
import { requirePromptUnused } from '../../../lambdas/store/views/deletion-guard.ts';
import { failure, newPrompt } from '../../support/rows/prompts.ts';
import { table, withTestTable } from '../../support/rows/table.ts';
import { accessOf, countUses } from '../../support/rows/usage.ts';

withTestTable();

const NOW = new Date('2026-03-10T00:00:30Z');
const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

const use = (promptId: string) => ({ promptId, version: '1.0.0', apiKeyId: 'k1234567' });
const fetched = (promptId: string, at: Date) => recordAccess(table, accessOf({ ...use(promptId), at }));

test('a fetch that the stream has not counted yet keeps a prompt from being deleted, also across midnight', async () => {
  for (const seconds of [0, 45, 119]) {
    const { promptId } = await newPrompt(table, { at: secondsAgo(86_400) });
    await requirePromptUnused(table, promptId, NOW);
    await fetched(promptId, secondsAgo(seconds));
    await expect(requirePromptUnused(table, promptId, NOW)).rejects.toMatchObject(
      failure('in_use', 'fetched once'),
    );
  }
});

test('a fetch that was counted a moment ago is not reported twice', async () => {
  const { promptId } = await newPrompt(table, { at: secondsAgo(86_400) });
  for (const seconds of [1, 2, 3]) await fetched(promptId, secondsAgo(seconds));
  await countUses(table, use(promptId), secondsAgo(3), 2);
  await expect(requirePromptUnused(table, promptId, NOW)).rejects.toMatchObject(
    failure('in_use', 'fetched 3 times'),
  );
});

import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { onOneDay } from '../../support/days.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('a prompt is returned with its usage and without internal fields', async () => {
  const { made, prompt, draft, fetches } = await onOneDay(async () => {
    const made = await aPrompt(instance);
    await fetchPrompt(instance, made.promptId, { times: 3 });
    return { made, ...(await ask(instance, 'prompts-get', { params: { promptId: made.promptId } })) };
  });
  expect(prompt).toMatchObject({ ...made, rev: 2, latest: '1.1.0', highest: '1.1.0', versions: 2 });
  expect(draft).toBeNull();
  expect(fetches).toEqual({
    last7Days: 3,
    byDay: [0, 0, 0, 0, 0, 0, 3],
    lastAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

test('the draft is included', async () => {
  const { promptId } = await aPrompt(instance);
  const draft = await saveDraft(instance.table, changeAt(), promptId, {
    ...content('Hey'),
    baseVersion: '1.1.0',
  });
  const { fetches, ...reply } = await ask(instance, 'prompts-get', { params: { promptId } });
  expect(reply.draft).toEqual({ type: 'text', ...draft });
  expect(fetches).toEqual({ last7Days: 0, byDay: [0, 0, 0, 0, 0, 0, 0], lastAt: null });
});

test('a missing or deleted prompt is not found', async () => {
  const { promptId } = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(), promptId);
  for (const id of [promptId, 'prm_unknown', 'ä..?#%00']) {
    await refused(instance, 'prompts-get', 'prompt_not_found', { params: { promptId: id } });
  }
});

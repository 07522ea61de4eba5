import { promptsGet } from '../../../contract/endpoints/prompts/prompts-get.ts';
import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { testOperatorSecurity } from '../../support/scenarios/operator-security.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

describe('permissions', () =>
  testOperatorSecurity(
    promptsGet,
    () => instance,
    async () => ({
      params: { promptId: (await aPrompt(instance)).promptId },
    }),
  ));

test('a prompt is returned with its usage and without internal fields', async () => {
  const { promptId, name } = await aPrompt(instance);
  await fetchPrompt(instance, promptId, { times: 3 });
  const { prompt, draft, fetches } = await ask(instance, promptsGet, { params: { promptId } });
  expect(prompt).toMatchObject({ promptId, name, rev: 2, latest: '1.1.0', highest: '1.1.0', versions: 2 });
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
  const { fetches, ...reply } = await ask(instance, promptsGet, { params: { promptId } });
  expect(reply.draft).toEqual({ type: 'text', ...draft });
  expect(fetches).toEqual({ last7Days: 0, byDay: [0, 0, 0, 0, 0, 0, 0], lastAt: null });
});

test('a missing or deleted prompt is not found', async () => {
  const { promptId } = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(), promptId);
  for (const id of [promptId, 'prm_unknown', 'ä..?#%00']) {
    await refused(instance, promptsGet, 'prompt_not_found', { params: { promptId: id } });
  }
});

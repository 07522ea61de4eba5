import { saveDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../../support/admin.ts';
import { onOneDay } from '../../support/days.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt, fetchPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('one call answers with all that the page of a prompt shows, without internal fields', async () => {
  const page = await onOneDay(async () => {
    const made = await aPrompt(instance);
    const { promptId } = made;
    await fetchPrompt(instance, promptId, { times: 3 });
    for (const version of ['1.0.0', '1.1.0'])
      await ask(instance, 'labels-set', { params: { promptId, label: 'production' }, body: { version } });
    return { made, ...(await ask(instance, 'prompts-get', { params: { promptId } })) };
  });
  expect(page.prompt).toMatchObject({ promptId: page.made.promptId, latest: '1.1.0', versions: 2 });
  expect(page).toMatchObject({
    draft: null,
    version: { version: '1.1.0', prompt: expect.any(String), contentHash: expect.any(String) },
    versions: [
      { version: '1.1.0', labels: ['production'], fetches: 3, type: 'text' },
      { version: '1.0.0', labels: [], fetches: 0, lastFetchedAt: null },
    ],
    moves: [{ label: 'production', from: '1.0.0', at: expect.any(String), actor: expect.any(String) }],
    fetches: { count: 3, lastAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  });
  for (const internal of ['generation', 'sig', 'reservedUpTo'])
    expect(page.prompt).not.toHaveProperty(internal);
});

test('the version is the one that is asked for, the latest, or else the one that production serves', async () => {
  const { promptId } = await aPrompt(instance);
  const shown = async (query: { version?: string }) =>
    (await ask(instance, 'prompts-get', { params: { promptId }, query })).version?.version;
  expect(await shown({})).toBe('1.1.0');
  const params = { promptId, label: 'production' };
  await ask(instance, 'labels-set', { params, body: { version: '1.0.0' } });
  expect(await shown({})).toBe('1.0.0');
  expect(await shown({ version: 'latest' })).toBe('1.1.0');
  expect(await shown({ version: '1.1.0' })).toBe('1.1.0');
  expect(await shown({ version: '9.0.0' })).toBeUndefined();
});

test('versions beyond the first page follow with its cursor', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  for (let i = 0; i < 49; i++)
    await ask(instance, 'versions-publish', { params, body: { prompt: `${i}`, bump: 'minor' } });
  const { versions, cursor } = await ask(instance, 'prompts-get', { params });
  const query = cursor === undefined ? {} : { cursor };
  const rest = await ask(instance, 'versions-list', { params, query });
  expect([versions.length, versions[0]?.version]).toEqual([50, '1.50.0']);
  expect(rest.versions).toMatchObject([{ version: '1.0.0' }]);
  // Their rows are read entirely, so of large ones the first page has fewer.
  const large = { prompt: 'x'.repeat(100_000), bump: 'minor' };
  await ask(instance, 'versions-publish', { params, body: large });
  const { versions: few } = await ask(instance, 'prompts-get', { params });
  expect(few.map(({ version }: { version: string }) => version)).toEqual([
    '1.51.0',
    '1.50.0',
    '1.49.0',
    '1.48.0',
  ]);
});

test('the draft is included', async () => {
  const { promptId } = await aPrompt(instance);
  const draft = await saveDraft(instance.table, changeAt(), promptId, {
    ...content('Hey'),
    baseVersion: '1.1.0',
  });
  const reply = await ask(instance, 'prompts-get', { params: { promptId } });
  expect(reply.draft).toEqual({ type: 'text', ...draft });
});

test('a missing or deleted prompt is not found', async () => {
  const { promptId } = await aPrompt(instance);
  await deletePrompt(instance.table, changeAt(), promptId);
  for (const id of [promptId, 'prm_unknown', 'ä..?#%00']) {
    await refused(instance, 'prompts-get', 'prompt_not_found', { params: { promptId: id } });
  }
});

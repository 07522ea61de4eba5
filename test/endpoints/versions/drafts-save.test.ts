import { readDraft } from '../../../lambdas/store/prompts/drafts.ts';
import { ask, refused } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const body = { prompt: 'Hel', tags: ['a'], metaProperties: { n: 1 }, note: 'wip', baseVersion: '1.1.0' };

test('a draft is saved for all operators, even if empty, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const { draft } = await ask(instance, 'drafts-save', { params, body, groups: ['editor'] });
  expect(draft).toMatchObject({ ...body, savedBy: 'editor@example.com' });
  const empty = { prompt: '', rev: draft.rev };
  const second = await ask(instance, 'drafts-save', { params, body: empty });
  expect(second.draft).toMatchObject({ prompt: '', tags: [], metaProperties: {}, note: '' });
  expect({ type: 'text', ...(await readDraft(instance.table, promptId)) }).toEqual(second.draft);
  expect(await changesBy(instance, ['editor'])).toContainEqual(
    expect.objectContaining({ action: 'draft.save', subject: promptId }),
  );
});

test('a save never overwrites a draft that the operator has not seen', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const { draft } = await ask(instance, 'drafts-save', { params, body });
  const unseen = { params, body, groups: ['editor'] };
  await refused(instance, 'drafts-save', 'changed_meanwhile', unseen);
  const other = { ...body, prompt: 'Hello', rev: draft.rev };
  await ask(instance, 'drafts-save', { params, body: { ...body, rev: draft.rev } });
  await refused(instance, 'drafts-save', 'changed_meanwhile', { params, body: other });
  const largest = { ...body, prompt: 'Other', rev: Number.MAX_SAFE_INTEGER };
  await refused(instance, 'drafts-save', 'changed_meanwhile', { params, body: largest });
});

test('the draft of a chat comes back as it was saved, even if unfinished', async () => {
  const { promptId } = await aPrompt(instance);
  const chat = {
    type: 'chat',
    messages: [
      { role: 'user', content: '' },
      { type: 'placeholder', name: 'history' },
    ],
    variables: { unused: { type: 'string' } },
    config: { temperature: 0 },
  };
  await ask(instance, 'drafts-save', { params: { promptId }, body: chat });
  expect((await ask(instance, 'prompts-get', { params: { promptId } })).draft).toMatchObject(chat);
});

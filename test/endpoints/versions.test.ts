import { readDraft, saveDraft } from '../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../lambdas/store/prompts/events.ts';
import { removeLabel, setLabel } from '../../lambdas/store/prompts/labels.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { ask, refused, send } from '../support/admin.ts';
import { emailOf } from '../support/operators.ts';
import { changesOf } from '../support/rows/audit.ts';
import { content } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { usageOf } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

withSharedInstance();

const groups = ['editor'];
/** The last change of a prompt, as the audit log has it. */
const lastChange = async (promptId: string) => (await changesOf(instance, promptId))[0];

const body = { prompt: 'Good day {{user}}', bump: 'patch' };

test('a bump publishes the next version, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const version = '1.1.1';
  const reply = await ask(instance, 'versions-publish', { params: { promptId }, body, groups });
  expect(reply).toMatchObject({ version, prompt: { latest: version, versions: 3, excerpt: body.prompt } });
  const change = { actor: emailOf(groups), action: 'version.publish', details: { version } };
  expect(await lastChange(promptId)).toMatchObject(change);
});

test('a label moves to the version in the same step, and the audit log records from where', async () => {
  const { promptId } = await aPrompt(instance);
  const publish = (label: string) => ({ params: { promptId }, body: { prompt: 'x', bump: 'minor', label } });
  const labels = async () => (await ask(instance, 'versions-publish', publish('production'))).prompt.labels;
  expect(await labels()).toEqual([{ label: 'production', version: '1.2.0' }]);
  expect(await labels()).toEqual([{ label: 'production', version: '1.3.0' }]);
  expect(await lastChange(promptId)).toMatchObject({
    action: 'version.publish',
    details: { version: '1.3.0', label: 'production', from: '1.2.0' },
  });
  const since = await eventsSince(instance.table, promptId, '');
  expect(since).toContainEqual(
    expect.objectContaining({ type: 'label-set', label: 'production', from: '1.2.0', to: '1.3.0' }),
  );
  expect(await refused(instance, 'versions-publish', 'invalid_request', publish('latest'))).toContain(
    'latest',
  );
});

test('a version number can be chosen, even below the latest, but never twice', async () => {
  const { promptId } = await aPrompt(instance);
  const publish = { params: { promptId }, body: { prompt: 'x', tags: ['t'], version: '0.9.0' } };
  const { prompt } = await ask(instance, 'versions-publish', publish);
  expect(prompt).toMatchObject({ latest: '1.1.0', versions: 3, tags: [], excerpt: 'Hi {{user}}' });
  expect(await refused(instance, 'versions-publish', 'version_taken', publish)).toContain('0.9.0');
});

test('of two concurrent publications, one wins and the other gets a conflict', async () => {
  const { promptId } = await aPrompt(instance);
  const sent = { params: { promptId }, body: { ...body, rev: 2 } };
  const replies = await Promise.all([1, 2].map(() => send(instance, 'versions-publish', sent)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(replies.find(({ status }) => status === 409)?.code).toBe('changed_meanwhile');
});

test('publishing removes the draft, and only if it is unchanged', async () => {
  const { promptId } = await aPrompt(instance);
  const { rev } = await saveDraft(instance.table, changeAt(), promptId, content('draft'));
  const params = { params: { promptId } };
  const stale = { ...params, body: { ...body, draftRev: rev - 1 } };
  await refused(instance, 'versions-publish', 'changed_meanwhile', stale);
  expect(await readDraft(instance.table, promptId)).toBeDefined();
  await ask(instance, 'versions-publish', { ...params, body: { ...body, draftRev: rev } });
  expect(await readDraft(instance.table, promptId)).toBeUndefined();
});

test('neither a version nor a bump, both, or another bump is refused', async () => {
  const params = { promptId: (await aPrompt(instance)).promptId };
  for (const wrong of [{}, { version: '3.0.0', bump: 'major' }, { bump: 'huge' }]) {
    const sent = { params, body: { prompt: 'x', ...wrong } };
    await refused(instance, 'versions-publish', 'invalid_request', sent);
  }
});

test('a version of another type needs confirmation, and the prompt says what its latest version is', async () => {
  const { promptId } = await aPrompt(instance);
  const chat = { type: 'chat', messages: [{ role: 'user', content: 'Hello {{user}}' }], bump: 'major' };
  const sent = (content: object) => ({ params: { promptId }, body: content, groups });
  const sentence = await refused(instance, 'versions-publish', 'type_changed', sent(chat));
  expect(sentence).toContain('is a text prompt, and this one is a chat prompt');
  const changed = sent({ ...chat, changeType: true });
  const { prompt, contentHash } = await ask(instance, 'versions-publish', changed);
  expect(prompt).toMatchObject({ type: 'chat', contentHash, excerpt: 'user: Hello {{user}}' });
  await ask(instance, 'versions-publish', sent(chat));
  await refused(instance, 'versions-publish', 'type_changed', sent(body));
});

test('versions are listed highest first, with labels, usage, author and note, without texts', async () => {
  const { promptId } = await aPrompt(instance);
  const note = { ...content('Later'), note: 'a fix', bump: 'patch' } as const;
  await publishVersion(instance.table, changeAt(), promptId, note);
  await setLabel(instance.table, changeAt(), promptId, 'production', '1.0.0');
  await setLabel(instance.table, changeAt(), promptId, 'canary', '1.0.0');
  await fetchPrompt(instance, promptId, { version: '1.0.0', times: 2 });
  const { versions } = await ask(instance, 'versions-list', { params: { promptId } });
  expect(versions).toMatchObject([
    ...[{ version: '1.1.1', note: 'a fix', labels: [], fetches: 0, lastFetchedAt: null, templateBytes: 5 }],
    ...[{ version: '1.1.0', publishedBy: 'operator@example.com' }],
    ...[
      { version: '1.0.0', labels: ['canary', 'production'], fetches: 2, lastFetchedAt: expect.any(String) },
    ],
  ]);
  const first = await ask(instance, 'versions-list', { params: { promptId }, query: { limit: 2 } });
  const second = await ask(instance, 'versions-list', {
    params: { promptId },
    query: { limit: 2, cursor: first.cursor },
  });
  expect([...first.versions, ...second.versions]).toEqual(versions);
});

test('a version is returned with its text, without an access entry', async () => {
  const { promptId } = await aPrompt(instance);
  const { version } = await ask(instance, 'versions-get', { params: { promptId, version: '1.0.0' } });
  expect(version).toMatchObject({
    promptId,
    version: '1.0.0',
    prompt: 'Hello {{user}}',
    tags: [],
    metaProperties: {},
    note: '',
    publishedBy: 'operator@example.com',
  });
  expect(await usageOf(instance.table, promptId, 1, new Date())).toEqual([]);
});

test('a missing version is not found, and an invalid one is rejected', async () => {
  const { promptId } = await aPrompt(instance);
  await refused(instance, 'versions-get', 'version_not_found', { params: { promptId, version: '9.9.9' } });
  await refused(instance, 'versions-get', 'prompt_not_found', {
    params: { promptId: 'prm_x', version: '1.0.0' },
  });
  const wrong = { params: { promptId, version: 'latest' } };
  expect(await refused(instance, 'versions-get', 'invalid_request', wrong)).toContain('"version"');
});

const ofNew = async () => ({ promptId: (await aPrompt(instance)).promptId, version: '1.0.0' });

test('an unused version is deleted without confirmation, and the audit log records by whom', async () => {
  const params = { ...(await ofNew()), version: '1.1.0' };
  const { prompt } = await ask(instance, 'versions-delete', { params, groups });
  expect(prompt).toMatchObject({ latest: '1.0.0', versions: 1, highest: '1.1.0' });
  const change = { actor: emailOf(groups), action: 'version.delete', details: { version: '1.1.0' } };
  expect(await lastChange(params.promptId)).toMatchObject(change);
  await refused(instance, 'versions-delete', 'version_not_found', { params });
});

test('a recently fetched version needs confirmation; fetches of other versions do not count', async () => {
  const params = await ofNew();
  const { keyId } = await fetchPrompt(instance, params.promptId, { version: '1.0.0', times: 2 });
  const sentence = await refused(instance, 'versions-delete', 'in_use', { params });
  expect(sentence).toMatch(/Version 1\.0\.0 of ".*" was fetched 2 times .* 2 times with the key "web"/);
  expect(sentence).toContain(keyId);
  const other = await ofNew();
  await fetchPrompt(instance, other.promptId, { version: '1.1.0' });
  await ask(instance, 'versions-delete', { params: other });
  await ask(instance, 'versions-delete', { params, query: { confirm: true } });
});

test('errors that forbid the deletion come before the confirmation, which does not override them', async () => {
  const params = await ofNew();
  await fetchPrompt(instance, params.promptId, { version: '1.0.0' });
  for (const label of ['production', 'canary'])
    await setLabel(instance.table, changeAt(), params.promptId, label, '1.0.0');
  for (const confirm of [false, true]) {
    const sent = { params, query: { confirm } };
    const sentence = await refused(instance, 'versions-delete', 'version_labelled', sent);
    expect(sentence).toContain('"canary", "production"');
  }
  await ask(instance, 'versions-delete', { params: { ...params, version: '1.1.0' } });
  for (const label of ['production', 'canary'])
    await removeLabel(instance.table, changeAt(), params.promptId, label);
  await refused(instance, 'versions-delete', 'last_version', { params, query: { confirm: true } });
});

test.each(['prompts-delete', 'versions-delete', 'labels-remove'] as const)(
  '%s rejects what is based on an outdated state',
  async (operation) => {
    const { promptId } = await aPrompt(instance);
    const { rev } = await setLabel(instance.table, changeAt(), promptId, 'beta', '1.0.0');
    const params = { promptId, version: '1.1.0', label: 'beta' };
    await refused(instance, operation, 'changed_meanwhile', { params, query: { rev: rev - 1 } });
    await ask(instance, operation, { params, query: { rev } });
  },
);

const unfinished = {
  prompt: 'Hel',
  tags: ['a'],
  metaProperties: { n: 1 },
  note: 'wip',
  baseVersion: '1.1.0',
};

test('a draft is saved for all operators, even if empty, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const { draft } = await ask(instance, 'drafts-save', { params, body: unfinished, groups });
  expect(draft).toMatchObject({ ...unfinished, savedBy: 'editor@example.com' });
  const empty = { prompt: '', rev: draft.rev };
  const second = await ask(instance, 'drafts-save', { params, body: empty });
  expect(second.draft).toMatchObject({ prompt: '', tags: [], metaProperties: {}, note: '' });
  expect({ type: 'text', ...(await readDraft(instance.table, promptId)) }).toEqual(second.draft);
  expect((await changesOf(instance, promptId)).slice(0, 2)).toMatchObject(
    ['admin@example.com', emailOf(groups)].map((actor) => ({ action: 'draft.save', actor })),
  );
});

test('a save never overwrites a draft that the operator has not seen', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const { draft } = await ask(instance, 'drafts-save', { params, body: unfinished });
  const unseen = { params, body: unfinished, groups };
  await refused(instance, 'drafts-save', 'changed_meanwhile', unseen);
  const other = { ...unfinished, prompt: 'Hello', rev: draft.rev };
  await ask(instance, 'drafts-save', { params, body: { ...unfinished, rev: draft.rev } });
  await refused(instance, 'drafts-save', 'changed_meanwhile', { params, body: other });
  const largest = { ...unfinished, prompt: 'Other', rev: Number.MAX_SAFE_INTEGER };
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

test('only the draft that the operator saw is discarded, and the audit log records by whom', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const { rev } = await saveDraft(instance.table, changeAt(), promptId, content('draft'));
  await refused(instance, 'drafts-delete', 'changed_meanwhile', { params, query: { rev: rev + 1 } });
  expect(await ask(instance, 'drafts-delete', { params, query: { rev }, groups })).toEqual(params);
  expect(await readDraft(instance.table, promptId)).toBeUndefined();
  expect(await lastChange(promptId)).toMatchObject({ actor: emailOf(groups), action: 'draft.delete' });
  await saveDraft(instance.table, changeAt(), promptId, content('draft'));
  await ask(instance, 'drafts-delete', { params });
  await refused(instance, 'drafts-delete', 'draft_not_found', { params });
});

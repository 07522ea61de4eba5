import { readDraft } from '../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../lambdas/store/prompts/events.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { ask, refused } from '../support/admin.ts';
import { changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';
import { usageOf } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';

withSharedInstance();

const actor = 'editor@example.com';
const newId = async () => (await aPrompt(instance)).promptId;
/** The last change of a prompt, as the audit log has it. */
const lastChange = async (promptId: string) => (await changesOf(instance, promptId))[0];

const body = { prompt: 'Good day {{user}}', bump: 'patch' };

test('a bump publishes the next version, a label moves to it in the same step, and the audit log records by whom and from where', async () => {
  const promptId = await newId();
  const publish = { promptId, prompt: 'x', bump: 'minor', label: 'production' };
  for (const version of ['1.2.0', '1.3.0']) {
    const labels = [{ label: 'production', version }];
    const prompt = { latest: version, labels, excerpt: 'x' };
    expect(await ask('versions-publish', publish, 'editor')).toMatchObject({ version, prompt });
  }
  const details = { version: '1.3.0', label: 'production', from: '1.2.0' };
  expect(await lastChange(promptId)).toMatchObject({ actor, action: 'version.publish', details });
  const moved = { type: 'label-set', label: 'production', from: '1.2.0', to: '1.3.0' };
  expect(await eventsSince(instance.table, promptId, '')).toContainEqual(expect.objectContaining(moved));
});

test.each<[string, object, string]>([
  ['neither a version nor a bump', {}, 'exactly one of "version" and "bump"'],
  ['both', { version: '3.0.0', bump: 'major' }, 'exactly one of "version" and "bump"'],
  ['another bump', { bump: 'huge' }, '"bump" must be one of'],
  ['the label latest', { bump: 'minor', label: 'latest' }, '"label" must not be "latest"'],
])('a publication with %s is refused, and the error says why', async (_, wrong, text) => {
  const publish = { promptId: await newId(), prompt: 'x', ...wrong };
  expect(await refused('versions-publish', 'invalid_request', publish)).toContain(text);
});

test('publishing removes the draft, and only if it is unchanged', async () => {
  const promptId = await newId();
  const { rev } = (await ask('drafts-save', { promptId, prompt: 'draft' })).draft;
  const publish = { promptId, ...body };
  await refused('versions-publish', 'changed_meanwhile', { ...publish, draftRev: rev - 1 });
  expect(await readDraft(instance.table, promptId)).toBeDefined();
  await ask('versions-publish', { ...publish, draftRev: rev });
  expect(await readDraft(instance.table, promptId)).toBeUndefined();
});

test('a version of another type needs confirmation, and the prompt says what its latest version is', async () => {
  const promptId = await newId();
  const text = { promptId, ...body };
  const messages = [{ role: 'user', content: 'Hello {{user}}' }];
  const chat = { promptId, type: 'chat', messages, bump: 'major' };
  const sentence = await refused('versions-publish', 'type_changed', chat);
  expect(sentence).toContain('is a text prompt, and this one is a chat prompt');
  const { prompt, contentHash } = await ask('versions-publish', { ...chat, changeType: true }, 'editor');
  expect(prompt).toMatchObject({ type: 'chat', contentHash, excerpt: 'user: Hello {{user}}' });
  await ask('versions-publish', chat);
  await refused('versions-publish', 'type_changed', text);
});

test('versions are listed highest first, with labels, usage, author and note, without texts', async () => {
  const promptId = await newId();
  await ask('versions-publish', { promptId, prompt: 'Later', note: 'a fix', bump: 'patch' });
  for (const label of ['production', 'canary'])
    await setLabel(instance.table, changeAt(), promptId, label, '1.0.0');
  await fetchPrompt(instance, promptId, { version: '1.0.0', times: 2 });
  const { versions } = await ask('versions-list', { promptId });
  const labels = ['canary', 'production'];
  expect(versions).toMatchObject([
    { version: '1.1.1', note: 'a fix', labels: [], fetches: 0, lastFetchedAt: null, templateBytes: 5 },
    { version: '1.1.0', publishedBy: 'operator@example.com' },
    { version: '1.0.0', labels, fetches: 2, lastFetchedAt: expect.any(String) },
  ]);
});

test('a version is returned with its text, without an access entry, and a missing one is not found', async () => {
  const promptId = await newId();
  const of = { promptId, version: '1.0.0' };
  expect((await ask('versions-get', of)).version).toMatchObject({
    ...of,
    prompt: 'Hello {{user}}',
    tags: [],
    metaProperties: {},
    note: '',
    publishedBy: 'operator@example.com',
  });
  expect(await usageOf(instance.table, promptId, 1, new Date())).toEqual([]);
  await refused('versions-get', 'version_not_found', { promptId, version: '9.9.9' });
  const latest = { promptId, version: 'latest' };
  expect(await refused('versions-get', 'invalid_request', latest)).toContain('"version"');
});

test('an unused version is deleted without confirmation, and the audit log records by whom', async () => {
  const of = { promptId: await newId(), version: '1.1.0' };
  const { prompt } = await ask('versions-delete', of, 'editor');
  expect(prompt).toMatchObject({ latest: '1.0.0', versions: 1, highest: '1.1.0' });
  const change = { actor, action: 'version.delete', details: { version: '1.1.0' } };
  expect(await lastChange(of.promptId)).toMatchObject(change);
  await refused('versions-delete', 'version_not_found', of);
});

test('a recently fetched version needs confirmation, which does not override the errors that forbid its deletion; fetches of other versions do not count', async () => {
  const of = { promptId: await newId(), version: '1.0.0' };
  const { keyId } = await fetchPrompt(instance, of.promptId, { version: '1.0.0', times: 2 });
  const labels = ['production', 'canary'];
  for (const label of labels) await ask('labels-set', { ...of, label });
  for (const confirm of [false, true])
    expect(await refused('versions-delete', 'version_labelled', { ...of, confirm })).toContain(
      '"canary", "production"',
    );
  for (const label of labels) await ask('labels-remove', { promptId: of.promptId, label });
  const sentence = await refused('versions-delete', 'in_use', of);
  expect(sentence).toMatch(/Version 1\.0\.0 of ".*" was fetched 2 times .* 2 times with the key "web"/);
  expect(sentence).toContain(keyId);
  await ask('versions-delete', { ...of, version: '1.1.0' });
  const confirmed = { ...of, confirm: true };
  await refused('versions-delete', 'last_version', confirmed);
  await ask('versions-publish', { promptId: of.promptId, ...body });
  await ask('versions-delete', confirmed);
});

test.each([
  ['prompts-delete', {}],
  ['versions-delete', { version: '1.1.0' }],
  ['labels-remove', { label: 'beta' }],
  ['versions-publish', body],
] as const)('%s rejects what is based on an outdated state', async (operation, fields) => {
  const promptId = await newId();
  const { rev } = await setLabel(instance.table, changeAt(), promptId, 'beta', '1.0.0');
  await refused(operation, 'changed_meanwhile', { promptId, ...fields, rev: rev - 1 });
  await ask(operation, { promptId, ...fields, rev });
});

const unfinished = {
  prompt: 'Hel',
  tags: ['a'],
  metaProperties: { n: 1 },
  note: 'wip',
  baseVersion: '1.1.0',
};

test('a draft is saved for all operators, even if empty, and the audit log records by whom', async () => {
  const promptId = await newId();
  const { draft } = await ask('drafts-save', { promptId, ...unfinished }, 'editor');
  expect(draft).toMatchObject({ ...unfinished, savedBy: actor });
  const second = await ask('drafts-save', { promptId, prompt: '', rev: draft.rev });
  expect(second.draft).toMatchObject({ prompt: '', tags: [], metaProperties: {}, note: '' });
  expect({ type: 'text', ...(await readDraft(instance.table, promptId)) }).toEqual(second.draft);
  expect((await changesOf(instance, promptId)).slice(0, 2)).toMatchObject(
    ['admin@example.com', actor].map((each) => ({ action: 'draft.save', actor: each })),
  );
});

test('a save never overwrites a draft that the operator has not seen', async () => {
  const of = { promptId: await newId(), ...unfinished };
  const { draft } = await ask('drafts-save', of);
  await refused('drafts-save', 'changed_meanwhile', of, 'editor');
  await ask('drafts-save', { ...of, rev: draft.rev });
  for (const rev of [draft.rev, Number.MAX_SAFE_INTEGER])
    await refused('drafts-save', 'changed_meanwhile', { ...of, prompt: 'Hello', rev });
});

test('the draft of a chat comes back as it was saved, even if unfinished', async () => {
  const promptId = await newId();
  const chat = {
    type: 'chat',
    messages: [
      { role: 'user', content: '' },
      { type: 'placeholder', name: 'history' },
    ],
    variables: { unused: { type: 'string' } },
    config: { temperature: 0 },
  };
  await ask('drafts-save', { promptId, ...chat });
  expect((await ask('prompts-get', { promptId })).draft).toMatchObject(chat);
});

test('only the draft that the operator saw is discarded, and the audit log records by whom', async () => {
  const promptId = await newId();
  const { rev } = (await ask('drafts-save', { promptId, prompt: 'draft' })).draft;
  await refused('drafts-delete', 'changed_meanwhile', { promptId, rev: rev + 1 });
  expect(await ask('drafts-delete', { promptId, rev }, 'editor')).toEqual({ promptId });
  expect(await readDraft(instance.table, promptId)).toBeUndefined();
  expect(await lastChange(promptId)).toMatchObject({ actor, action: 'draft.delete' });
  await ask('drafts-save', { promptId, prompt: 'draft' });
  await ask('drafts-delete', { promptId });
  await refused('drafts-delete', 'draft_not_found', { promptId });
});

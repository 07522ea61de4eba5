import { contentHash } from '../../contract/content/hash.ts';
import type { ErrorCode } from '../../contract/http/errors.ts';
import { readDraft } from '../../lambdas/store/prompts/drafts.ts';
import { eventsSince } from '../../lambdas/store/prompts/events.ts';
import { readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../lambdas/store/prompts/labels.ts';
import { ask, refused, send } from '../support/admin.ts';
import { auditOf, changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';
import { usageOf } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const actor = 'editor@example.com';
const newId = async () => (await aPrompt()).promptId;
/** The last change of a prompt, as the audit log has it. */
const lastChange = async (promptId: string) => (await changesOf(promptId))[0];

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
  await fetchPrompt(promptId, { version: '1.0.0', times: 2 });
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
  const { keyId } = await fetchPrompt(of.promptId, { version: '1.0.0', times: 2 });
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
  expect((await changesOf(promptId)).slice(0, 2)).toMatchObject(
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

describe('labels', () => {
  const onNew = async (label = 'production') => ({ promptId: (await aPrompt()).promptId, label });

  test('a label is created, moved and removed, and its history and the audit log record by whom, from and to', async () => {
    const of = await onNew('große_Käfer');
    const { promptId, label } = of;
    await ask('labels-set', { promptId, label: 'staging', version: '1.0.0' });
    await ask('labels-set', { ...of, version: '1.0.0', expected: 'none' }, 'editor');
    const { prompt } = await ask('labels-set', { ...of, version: '1.1.0', expected: '1.0.0' }, 'editor');
    expect(prompt.labels).toContainEqual({ label, version: '1.1.0' });
    const { labels } = (await ask('labels-remove', of, 'editor')).prompt;
    expect(labels).toEqual([{ label: 'staging', version: '1.0.0' }]);
    const { events } = await ask('events-list', of);
    const known = { at: expect.any(String), actor, label };
    expect(events).toEqual([
      { ...known, type: 'label-removed', from: '1.1.0' },
      { ...known, type: 'label-set', from: '1.0.0', to: '1.1.0' },
      { ...known, type: 'label-set', from: null, to: '1.0.0' },
    ]);
    expect((await ask('events-list', { promptId })).events).toHaveLength(6);
    expect((await changesOf(promptId)).slice(0, 2)).toMatchObject([
      { actor, action: 'label.remove', details: { label, from: '1.1.0' } },
      { actor, action: 'label.set', details: { label, from: '1.0.0', to: '1.1.0' } },
    ]);
    await refused('labels-remove', 'label_not_found', of);
  });

  test('a move based on another target or an outdated state, or to a version that does not exist, is rejected', async () => {
    const of = { ...(await onNew()), version: '1.0.0' };
    const refusal = (rest: object, code: ErrorCode = 'changed_meanwhile') =>
      refused('labels-set', code, { ...of, ...rest });
    expect(await refusal({ expected: '1.1.0' })).toContain('not set');
    await refusal({ rev: 1 });
    await ask('labels-set', { ...of, rev: 2 });
    expect(await refusal({ expected: 'none' })).toContain('1.0.0');
    await refusal({ version: '9.0.0' }, 'version_not_found');
    expect(await refusal({ version: 'latest' }, 'invalid_request')).toContain('"version"');
  });

  test('a label is one word of any script, and never called latest', async () => {
    const of = { ...(await onNew()), version: '1.0.0' };
    for (const label of ['canary-2', 'v1.0', '本番'])
      expect((await ask('labels-set', { ...of, label })).prompt.labels).toContainEqual({
        label,
        version: '1.0.0',
      });
    for (const label of ['latest', 'Latest', 'a/b', 'a b', '.hidden', '-x', 'a?b', '%', 'x'.repeat(129)])
      expect([400, 404]).toContain((await send('labels-set', { ...of, label })).status);
    await refused('labels-protect', 'invalid_request', { label: 'latest' });
  });

  test('an operator moves labels as a set, which the audit log names; a dry run checks it and moves nothing', async () => {
    const { promptId, name } = await aPrompt();
    const move = (to: string) => ({ moves: [{ name, label: 'beta', from: null, to }] });
    expect(await ask('labels-move', { ...move('1.0.0'), dryRun: true })).toEqual({ moved: true });
    expect((await ask('prompts-get', { promptId })).prompt.labels).toEqual([]);
    const { set } = await ask('labels-move', move('1.0.0'), 'editor');
    expect(await changesOf(set)).toMatchObject([{ actor, name: 'beta' }]);
    expect(await refused('labels-move', 'changed_meanwhile', move('1.1.0'))).toContain('points to 1.0.0');
  });

  test('every endpoint with which an editor could move a protected label answers 403 and names the label', async () => {
    const of = await onNew(uniqueName('label'));
    const { promptId, label } = of;
    await ask('labels-set', { ...of, version: '1.0.0' });
    const { labels } = await ask('labels-protect', { label });
    expect(labels).toContainEqual({
      label,
      protectedAt: expect.any(String),
      protectedBy: expect.any(String),
    });
    const before = await readPromptHead(instance.table, promptId);
    const isRefused = async (operation: Parameters<typeof refused>[0], fields: object) =>
      expect(await refused(operation, 'label_protected', fields, 'editor')).toContain(
        `"${label}" is protected`,
      );
    await isRefused('labels-set', { ...of, version: '1.1.0' });
    await isRefused('labels-remove', of);
    await isRefused('versions-publish', { ...of, prompt: 'x', bump: 'minor' });
    await isRefused('prompts-create', { name: uniqueName('prompt'), prompt: 'x', label });
    await isRefused('prompts-delete', { promptId });
    expect(await readPromptHead(instance.table, promptId)).toEqual(before);
    await ask('prompts-delete', { promptId });
    await isRefused('prompts-restore', { promptId });
    await isRefused('prompts-create', { name: before?.name, prompt: 'x', overDeleted: true });
    await ask('prompts-restore', { promptId });
    await ask('labels-set', { ...of, version: '1.1.0' });
  });

  test('without protection an editor moves the label again, and the audit log records once who set and who removed it', async () => {
    const of = await onNew(uniqueName('label'));
    const { label } = of;
    for (let i = 0; i < 2; i++) await ask('labels-protect', { label });
    expect(JSON.stringify(await ask('labels-unprotect', { label }))).not.toContain(label);
    await ask('labels-set', { ...of, version: '1.0.0' }, 'editor');
    const entry = { actor: 'admin@example.com', name: label };
    expect(await changesOf(label)).toMatchObject([
      { ...entry, action: 'label.unprotect' },
      { ...entry, action: 'label.protect' },
    ]);
    await refused('labels-unprotect', 'label_not_found', { label });
  });
});

describe('fragments', () => {
  const create = async (body: object) => {
    const name = uniqueName('shared/text');
    const { prompt } = await ask('prompts-create', { name, ...body }, 'editor');
    return { name, promptId: prompt.promptId };
  };
  const including = (name: string, version = '1.0.0') => ({
    prompt: `{{> "${name}"}} {{> "other"}}`,
    includes: [`${name}@${version}`],
  });

  const fetched = async (name: string, body: object = {}) =>
    (await instance.post('/api/prompt/get-compiled', { name, ...body })).json.res;

  test('readers get the expansion, editors what they wrote, and the hash is that of what they wrote', async () => {
    const fragment = {
      prompt: 'Be {{tone}}.',
      variables: { tone: { type: 'string', default: 'kind' } },
    } as const;
    const { name } = await create(fragment);
    const written = including(name);
    const outer = await create(written);
    const { version } = await ask('versions-get', { promptId: outer.promptId, version: '1.0.0' });
    const { variables } = fragment;
    const expanded = 'Be {{tone}}. {{> "other"}}';
    expect(version).toMatchObject({
      ...written,
      expanded,
      expandedVariables: variables,
      contentHash: await contentHash(written),
    });
    expect(version).not.toHaveProperty('variables');
    const reply = await fetched(outer.name, { shouldCompile: true });
    const includes = [{ name, version: '1.0.0', contentHash: await contentHash(fragment) }];
    const compiledPrompt = 'Be kind. {{> "other"}}';
    expect(reply).toMatchObject({ prompt: expanded, compiledPrompt, variables, includes });
    expect(reply).not.toHaveProperty('authored');
  });

  test('a chat includes fragments in its messages; placeholders and undeclared names stay', async () => {
    const { name } = await create({ prompt: 'Be "kind".' });
    const { prompt: content, includes } = including(name);
    const history = { type: 'placeholder', name: 'history' };
    const chat = await create({ type: 'chat', messages: [{ role: 'system', content }, history], includes });
    const messages = [{ role: 'system', content: 'Be "kind". {{> "other"}}' }, history];
    expect(await fetched(chat.name)).toMatchObject({ messages, prompt: JSON.stringify(messages) });
  });

  test('what does not exist, a chat, and what is more than five deep cannot be included', async () => {
    const chat = await create({ type: 'chat', messages: [{ role: 'user', content: 'x' }] });
    let { name } = await create({ prompt: 'x' });
    const sentence = (...included: Parameters<typeof including>) =>
      refused('prompts-create', 'invalid_request', { name: uniqueName('x'), ...including(...included) });
    expect(await sentence(name, '1.0.1')).toContain(`"${name}@1.0.1", but there is no such version`);
    expect(await sentence('missing')).toContain('there is no such version');
    expect(await sentence(chat.name)).toContain('which is a chat');
    for (let depth = 1; depth <= 5; depth++) ({ name } = await create(including(name)));
    expect(await sentence(name)).toContain('at most 5 deep');
  });

  test('a key with patterns cannot tell what it may not include from what does not exist', async () => {
    const { name } = await create({ prompt: 'secret' });
    const own = uniqueName('own');
    const publish = async (included: string, ...prompts: string[]) => {
      const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], prompts });
      const body = { name: own, content: including(included), base: null, dryRun: true };
      const { json } = await instance.post('/api/prompt/publish', body, apiKey);
      return { ...json, refusals: await auditOf('refusal', keyId) };
    };
    const hidden = await publish(name, own);
    const missing = await publish(`${name}x`, own);
    expect(hidden.err.replaceAll(name, '')).toBe(missing.err.replaceAll(`${name}x`, ''));
    expect(hidden.err).toContain('no such version');
    const details = { reason: 'include', asked: `${own}, includes ${name}@1.0.0` };
    expect(hidden.refusals).toMatchObject([{ details }]);
    expect((await publish(name, own, name)).res).toMatchObject({ created: true });
  });

  test('what a latest or labelled version includes is deleted only with confirmation', async () => {
    const publish = (promptId: string) =>
      ask('versions-publish', { promptId, prompt: 'y', bump: 'major' }, 'editor');
    const { name, promptId } = await create({ prompt: 'x' });
    await publish(promptId);
    const outer = await create({ ...including(name), label: 'production' });
    await publish(outer.promptId);
    expect(await refused('versions-delete', 'in_use', { promptId, version: '1.0.0' })).toContain(
      `is included by version 1.0.0 of "${outer.name}"`,
    );
    await refused('prompts-delete', 'in_use', { promptId });
    await ask('versions-delete', { promptId, version: '2.0.0' });
    await ask('prompts-delete', { promptId, confirm: true });
    expect(await fetched(outer.name, { label: 'production' })).toMatchObject({ prompt: 'x {{> "other"}}' });
  });
});

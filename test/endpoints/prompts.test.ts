import { LIMITS } from '../../contract/limits.ts';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { inParallel } from '../../lambdas/core/parallel.ts';
import { saveDraft } from '../../lambdas/store/prompts/drafts.ts';
import { isLive, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { removeLabel, setLabel } from '../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { ask, refused } from '../support/admin.ts';
import { daysAgo, onOneDay } from '../support/days.ts';
import { emailOf } from '../support/operators.ts';
import { changesBy, changesOf } from '../support/rows/audit.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { countUses } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const groups = ['editor'];
const actor = emailOf(groups);
let count = 0;
const named = (rest: object = {}) => ({ name: `new ${++count}`, prompt: 'Hello {{user}}', ...rest });

test('a prompt starts at version 1.0.0, and the audit log records who created it', async () => {
  const body = named({ tags: ['a', 'a', 'b'], metaProperties: { n: 1e300 }, note: 'first' });
  const { prompt } = await ask(instance, 'prompts-create', { body, groups });
  expect(prompt).toMatchObject({
    promptId: promptIdOf(body.name),
    name: body.name,
    latest: '1.0.0',
    versions: 1,
    labels: [],
    tags: ['a', 'b'],
    excerpt: 'Hello {{user}}\nfirst',
    createdBy: 'editor@example.com',
    changedBy: 'editor@example.com',
  });
  const created = { action: 'prompt.create', name: body.name, details: { version: '1.0.0' } };
  expect(await changesOf(instance, prompt.promptId)).toMatchObject([{ actor, ...created }]);
});

test('the first version, and a label for it, can be chosen', async () => {
  const body = named({ version: '0.3.0', label: 'production' });
  const { prompt } = await ask(instance, 'prompts-create', { body });
  expect(prompt).toMatchObject({ latest: '0.3.0', labels: [{ label: 'production', version: '0.3.0' }] });
  await refused(instance, 'prompts-create', 'invalid_request', { body: named({ label: 'latest' }) });
});

test('a name in use is rejected; after its deletion it restarts at the next major version', async () => {
  const body = named();
  const { prompt } = await ask(instance, 'prompts-create', { body });
  expect(await refused(instance, 'prompts-create', 'name_taken', { body })).toContain(body.name);
  await deletePrompt(instance.table, changeAt(), prompt.promptId);
  expect(await refused(instance, 'prompts-create', 'restorable', { body })).toContain('restored until');
  const again = { ...body, version: '1.0.0', overDeleted: true };
  expect(await refused(instance, 'prompts-create', 'version_taken', { body: again })).toContain('1.0.0');
  const { prompt: next } = await ask(instance, 'prompts-create', { body: { ...body, overDeleted: true } });
  expect(next.latest).toBe('2.0.0');
});

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
  expect(few).toMatchObject([51, 50, 49, 48].map((minor) => ({ version: `1.${minor}.0` })));
});

test('the draft is included', async () => {
  const { promptId } = await aPrompt(instance);
  const body = { ...content('Hey'), baseVersion: '1.1.0' };
  const draft = await saveDraft(instance.table, changeAt(), promptId, body);
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

test('the history of a label lists its versions, who moved it, and when it was removed', async () => {
  const { promptId } = await aPrompt(instance);
  const { table } = instance;
  const at = (second: number) => changeAt(new Date(Date.now() + second * 1_000));
  await setLabel(table, at(1), promptId, 'production', '1.0.0');
  await setLabel(table, at(2), promptId, 'staging', '1.0.0');
  await setLabel(table, at(3), promptId, 'production', '1.1.0');
  await removeLabel(table, at(4), promptId, 'production');
  const { events } = await ask(instance, 'events-list', {
    params: { promptId },
    query: { label: 'production' },
  });
  const known = { at: expect.any(String), actor: expect.any(String), label: 'production' };
  expect(events).toEqual([
    { ...known, type: 'label-removed', from: '1.1.0' },
    { ...known, type: 'label-set', from: '1.0.0', to: '1.1.0' },
    { ...known, type: 'label-set', from: null, to: '1.0.0' },
  ]);
  expect((await ask(instance, 'events-list', { params: { promptId } })).events).toHaveLength(6);
});

const values = JSON.parse('{"user": "Ada", "n": 1e300, "list": [1, null], "__proto__": {"x": true}}');

const examplesOf = async (promptId: string) =>
  (await ask(instance, 'prompts-get', { params: { promptId }, groups: ['viewer'] })).examples;

test('editors save example values, viewers read them, and the audit log has their number alone', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  expect(await examplesOf(promptId)).toBeNull();
  const { examples } = await ask(instance, 'examples-save', { params, body: { values }, groups });
  expect(JSON.stringify(examples.values)).toBe(JSON.stringify(values));
  expect(examples.savedBy).toBe(actor);
  expect(await examplesOf(promptId)).toEqual(examples);
  const [change] = await changesOf(instance, promptId);
  expect(change).toMatchObject({ actor, action: 'examples.save', details: { variables: 4 } });
  expect(JSON.stringify(await fetchPrompt(instance, promptId))).not.toContain('Ada');
});

test('a new set replaces the earlier one, and an empty one removes it', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  await ask(instance, 'examples-save', { params, body: { values } });
  await ask(instance, 'examples-save', { params, body: { values: { place: 'Rome' } } });
  expect((await examplesOf(promptId)).values).toEqual({ place: 'Rome' });
  expect((await ask(instance, 'examples-save', { params, body: { values: {} } })).examples).toBeNull();
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples come back with a restored prompt, and not with a new prompt of the same name', async () => {
  const { promptId, name } = await aPrompt(instance);
  const params = { promptId };
  await ask(instance, 'examples-save', { params, body: { values } });
  await deletePrompt(instance.table, changeAt(), promptId);
  await refused(instance, 'examples-save', 'prompt_not_found', { params, body: { values } });
  await ask(instance, 'prompts-restore', { params });
  expect((await examplesOf(promptId)).values).toMatchObject({ user: 'Ada' });
  await deletePrompt(instance.table, changeAt(), promptId);
  await createPrompt(instance.table, changeAt(), { ...content('new'), name, overDeleted: true });
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples that are too large or are not an object are refused', async () => {
  const { promptId } = await aPrompt(instance);
  const params = { promptId };
  const large = { user: 'x'.repeat(LIMITS.examplesBytes) };
  expect(
    await refused(instance, 'examples-save', 'invalid_request', { params, body: { values: large } }),
  ).toContain(`${LIMITS.examplesBytes} bytes`);
  await refused(instance, 'examples-save', 'invalid_request', { params, body: { values: [] } });
});

test('an unused prompt is deleted without confirmation and can be restored for seven days', async () => {
  const { promptId, name } = await aPrompt(instance);
  const reply = await ask(instance, 'prompts-delete', { params: { promptId }, groups });
  expect(reply).toMatchObject({ promptId, name });
  const days = (Date.parse(reply.restorableUntil) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  await refused(instance, 'prompts-delete', 'prompt_not_found', { params: { promptId } });
  const [change] = await changesOf(instance, promptId);
  expect(change).toMatchObject({ actor, action: 'prompt.delete', name });
});

test('a recently fetched prompt needs confirmation, and the error says which keys fetched it how often', async () => {
  const { promptId, name } = await aPrompt(instance);
  const web = await fetchPrompt(instance, promptId, { times: 3, name: 'the web' });
  const job = await fetchPrompt(instance, promptId, { name: 'a job' });
  const params = { promptId };
  for (const query of [{}, { confirm: false }]) {
    const sentence = await refused(instance, 'prompts-delete', 'in_use', { params, query });
    expect(sentence).toContain(`"${name}" was fetched 4 times within the last 7 days`);
    expect(sentence).toContain(
      `3 times with the key "the web" (${web.keyId}), once with the key "a job" (${job.keyId})`,
    );
  }
  await ask(instance, 'prompts-delete', { params, query: { confirm: true } });
});

test('fetches older than seven days need no confirmation', async () => {
  const fetchedBefore = async (days: number) => {
    const { promptId } = await newPrompt(instance.table, { at: daysAgo(20) });
    await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(days));
    return { params: { promptId } };
  };
  await ask(instance, 'prompts-delete', await fetchedBefore(7.01));
  await refused(instance, 'prompts-delete', 'in_use', await fetchedBefore(6.99));
});

test('a deleted prompt, and no other, is restored with its versions, and the audit log records by whom', async () => {
  const { promptId, name } = await aPrompt(instance);
  const sent = { params: { promptId }, groups };
  await refused(instance, 'prompts-restore', 'not_deleted', sent);
  await deletePrompt(instance.table, changeAt(), promptId);
  const { prompt } = await ask(instance, 'prompts-restore', sent);
  expect(prompt).toMatchObject({ promptId, name, latest: '1.1.0', versions: 2 });
  const [change] = await changesOf(instance, promptId);
  expect(change).toMatchObject({ actor, action: 'prompt.restore' });
});

const create = (name: string, keyId?: string) =>
  createPrompt(instance.table, changeAt(), { ...content('x'), name, ...(keyId && { creator: { keyId } }) });
const lives = async (name: string) => isLive(await readPromptHead(instance.table, promptIdOf(name)));
const remove = (body: object) => ask(instance, 'prompts-delete-several', { body });

test('two hundred prompts of a key are deleted call by call, also after an interruption, those in use once confirmed', async () => {
  const folder = uniqueName('flood');
  const key = { permissions: ['publish'] as const, prompts: [`${folder}/*`] };
  const { apiKey, keyId } = await instance.newKey(key);
  const names = Array.from({ length: 200 }, (_, i) => `${folder}/${String(i).padStart(3, '0')}`);
  const [operators, used = '', published = ''] = [`${folder}/100a`, names[7], names[25]];
  await inParallel(names, (name) => create(name, keyId));
  await create(operators);
  const user = await fetchPrompt(instance, promptIdOf(used));
  const which = { createdByKey: keyId };
  await refused(instance, 'prompts-delete-several', 'forbidden', { body: which, groups });

  const first = await remove(which);
  expect(first).toMatchObject({ left: 180, more: false, cursor: names[19] });
  expect(first.deleted.map(({ name }: { name: string }) => name)).toEqual(
    names.slice(0, 20).filter((name) => name !== used),
  );
  expect(first.kept).toEqual([
    {
      promptId: promptIdOf(used),
      name: used,
      code: 'in_use',
      message: expect.stringContaining(`once with the key "web" (${user.keyId})`),
    },
  ]);
  // A job publishes what is being deleted: before, or it is told that an operator decides.
  const publish = (base: string | null) =>
    instance.post('/api/prompt/publish', { name: published, base, content: { prompt: 'y' } }, apiKey);
  const [second, job] = await Promise.all([remove({ ...which, cursor: first.cursor }), publish('1.0.0')]);
  expect(second.deleted).toHaveLength(20);
  expect([200, 409]).toContain(job.status);
  expect((await publish(null)).code).toBe('restorable');

  // Without a cursor, as after a closed window: it begins with what exists.
  const pages = [await remove(which)];
  expect(pages[0]).toMatchObject({ kept: [{ name: used }], left: 141 });
  while (pages.at(-1).cursor !== undefined)
    pages.push(await remove({ ...which, cursor: pages.at(-1).cursor }));
  expect(pages).toHaveLength(9);
  expect(await Promise.all(names.map(lives))).toEqual(names.map((name) => name === used));
  expect(await remove({ ...which, confirm: true })).toMatchObject({
    deleted: [{ name: used }],
    kept: [],
    left: 0,
    more: false,
  });
  expect(await remove(which)).toEqual({ deleted: [], kept: [], left: 0, more: false });
  expect(await lives(operators)).toBe(true);
  const entries = (await changesBy(instance, ['admin'])).filter(({ action }) => action === 'prompt.delete');
  expect(entries.filter(({ name }) => names.includes(name))).toHaveLength(200);
  await ask(instance, 'prompts-restore', { params: { promptId: promptIdOf(used) } });
  expect(await lives(used)).toBe(true);
});

test('a folder is deleted with its subfolders, and nothing outside it, whatever the cursor', async () => {
  const folder = uniqueName('folder');
  const inside = [`${folder}/a`, `${folder}/deep/b`];
  const outside = [`${folder}-other/a`, folder];
  for (const name of [...inside, ...outside]) await create(name);
  expect(await remove({ folder, cursor: folder.slice(0, -1) })).toMatchObject({
    deleted: inside.map((name) => ({ name })),
    left: 0,
    more: false,
  });
  expect(await Promise.all([...inside, ...outside].map(lives))).toEqual([false, false, true, true]);
  for (const body of [{}, { folder, createdByKey: 'k' }])
    expect(await refused(instance, 'prompts-delete-several', 'invalid_request', { body })).toContain(
      'either "folder" or "createdByKey"',
    );
});

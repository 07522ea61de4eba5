import { LIMITS } from '../../contract/limits.ts';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { inParallel } from '../../lambdas/core/parallel.ts';
import { isLive, readPromptHead } from '../../lambdas/store/prompts/head.ts';
import { publishVersion } from '../../lambdas/store/prompts/publishing.ts';
import { ask, refused } from '../support/admin.ts';
import { daysAgo, onOneDay } from '../support/days.ts';
import { changesBy, changesOf } from '../support/rows/audit.ts';
import { content, newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { countUses } from '../support/rows/usage.ts';
import { aPrompt, fetchPrompt } from '../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../support/shared/instance.ts';
import { uniqueName } from '../support/unique-name.ts';

withSharedInstance();

const actor = 'editor@example.com';
const named = (rest: object = {}) => ({ name: uniqueName('new'), prompt: 'Hello {{user}}', ...rest });

test('a prompt starts at version 1.0.0 or the one that is chosen, with a label for it, and the audit log records who created it', async () => {
  const body = named({ tags: ['a', 'a', 'b'], metaProperties: { n: 1e300 }, note: 'first' });
  const { prompt } = await ask('prompts-create', body, 'editor');
  expect(prompt).toMatchObject({
    promptId: promptIdOf(body.name),
    name: body.name,
    latest: '1.0.0',
    versions: 1,
    labels: [],
    tags: ['a', 'b'],
    excerpt: 'Hello {{user}}\nfirst',
    createdBy: actor,
    changedBy: actor,
  });
  const created = { action: 'prompt.create', name: body.name, details: { version: '1.0.0' } };
  expect(await changesOf(prompt.promptId)).toMatchObject([{ actor, ...created }]);
  const chosen = await ask('prompts-create', named({ version: '0.3.0', label: 'live' }));
  expect(chosen.prompt).toMatchObject({ latest: '0.3.0', labels: [{ label: 'live', version: '0.3.0' }] });
  await refused('prompts-create', 'invalid_request', named({ label: 'latest' }));
});

test('a name in use is rejected; after its deletion it restarts at the next major version', async () => {
  const body = named();
  const { prompt } = await ask('prompts-create', body);
  expect(await refused('prompts-create', 'name_taken', body)).toContain(body.name);
  await ask('prompts-delete', { promptId: prompt.promptId });
  expect(await refused('prompts-create', 'restorable', body)).toContain('restored until');
  const again = { ...body, overDeleted: true };
  expect(await refused('prompts-create', 'version_taken', { ...again, version: '1.0.0' })).toContain('1.0.0');
  expect((await ask('prompts-create', again)).prompt.latest).toBe('2.0.0');
});

test('one call answers with all that the page of a prompt shows, without internal fields', async () => {
  const { promptId, ...page } = await onOneDay(async () => {
    const { promptId } = await aPrompt();
    await fetchPrompt(promptId, { times: 3 });
    for (const version of ['1.0.0', '1.1.0'])
      await ask('labels-set', { promptId, label: 'production', version });
    const saved = await ask('drafts-save', { promptId, prompt: 'Hey', baseVersion: '1.1.0' });
    const { draft, ...rest } = await ask('prompts-get', { promptId });
    expect(draft).toEqual(saved.draft);
    return { promptId, ...rest };
  });
  expect(page.prompt).toMatchObject({ promptId, latest: '1.1.0', versions: 2 });
  expect(page).toMatchObject({
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
  const { promptId } = await aPrompt();
  const shown = async (version?: string) =>
    (await ask('prompts-get', { promptId, version })).version?.version;
  expect(await shown()).toBe('1.1.0');
  await ask('labels-set', { promptId, label: 'production', version: '1.0.0' });
  expect(await Promise.all([undefined, 'latest', '1.1.0', '9.0.0'].map(shown))).toEqual([
    '1.0.0',
    '1.1.0',
    '1.1.0',
    undefined,
  ]);
});

test('versions beyond the first page follow with its cursor', async () => {
  const { promptId } = await aPrompt();
  const publish = (prompt: string) =>
    publishVersion(instance.table, changeAt(), promptId, { ...content(prompt), bump: 'minor' });
  for (let i = 0; i < 49; i++) await publish(`${i}`);
  const { versions, cursor } = await ask('prompts-get', { promptId });
  expect([versions.length, versions[0].version]).toEqual([50, '1.50.0']);
  expect((await ask('versions-list', { promptId, cursor })).versions).toMatchObject([{ version: '1.0.0' }]);
  // Their rows are read entirely, so of large ones the first page has fewer.
  await publish('x'.repeat(100_000));
  const { versions: few } = await ask('prompts-get', { promptId });
  expect(few).toMatchObject([51, 50, 49, 48].map((minor) => ({ version: `1.${minor}.0` })));
});

const values = JSON.parse('{"user": "Ada", "n": 1e300, "list": [1, null], "__proto__": {"x": true}}');

const examplesOf = async (promptId: string) => (await ask('prompts-get', { promptId }, 'viewer')).examples;

test('editors save example values, viewers read them, and the audit log has their number alone', async () => {
  const { promptId } = await aPrompt();
  const save = async (some: object) =>
    (await ask('examples-save', { promptId, values: some }, 'editor')).examples;
  expect(await examplesOf(promptId)).toBeNull();
  const examples = await save(values);
  expect(JSON.stringify(examples.values)).toBe(JSON.stringify(values));
  expect(examples.savedBy).toBe(actor);
  expect(await examplesOf(promptId)).toEqual(examples);
  const [change] = await changesOf(promptId);
  expect(change).toMatchObject({ actor, action: 'examples.save', details: { variables: 4 } });
  expect(JSON.stringify(change)).not.toContain('Ada');
  await save({ place: 'Rome' });
  expect((await examplesOf(promptId)).values).toEqual({ place: 'Rome' });
  expect(await save({})).toBeNull();
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples come back with a restored prompt, and not with a new prompt of the same name', async () => {
  const { promptId, name } = await aPrompt();
  await ask('examples-save', { promptId, values });
  await ask('prompts-delete', { promptId });
  await refused('examples-save', 'prompt_not_found', { promptId, values });
  await ask('prompts-restore', { promptId });
  expect((await examplesOf(promptId)).values).toMatchObject({ user: 'Ada' });
  await ask('prompts-delete', { promptId });
  await ask('prompts-create', { name, prompt: 'new', overDeleted: true });
  expect(await examplesOf(promptId)).toBeNull();
});

test('examples that are too large or are not an object are refused', async () => {
  const { promptId } = await aPrompt();
  const large = { promptId, values: { user: 'x'.repeat(LIMITS.examplesBytes) } };
  expect(await refused('examples-save', 'invalid_request', large)).toContain(`${LIMITS.examplesBytes} bytes`);
  await refused('examples-save', 'invalid_request', { promptId, values: [] });
});

test('an unused prompt is deleted without confirmation, can be restored for seven days, and the audit log records by whom', async () => {
  const { promptId, name } = await aPrompt();
  await refused('prompts-restore', 'not_deleted', { promptId });
  const reply = await ask('prompts-delete', { promptId }, 'editor');
  expect(reply).toMatchObject({ promptId, name });
  const days = (Date.parse(reply.restorableUntil) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  await refused('prompts-delete', 'prompt_not_found', { promptId });
  await refused('prompts-get', 'prompt_not_found', { promptId });
  const { prompt } = await ask('prompts-restore', { promptId }, 'editor');
  expect(prompt).toMatchObject({ promptId, name, latest: '1.1.0', versions: 2 });
  expect((await changesOf(promptId)).slice(0, 2)).toMatchObject([
    { actor, action: 'prompt.restore', name },
    { actor, action: 'prompt.delete', name },
  ]);
});

test('a recently fetched prompt needs confirmation, and the error says which keys fetched it how often', async () => {
  const { promptId, name } = await aPrompt();
  const web = await fetchPrompt(promptId, { times: 3, name: 'the web' });
  const job = await fetchPrompt(promptId, { name: 'a job' });
  for (const confirm of [undefined, false])
    expect(await refused('prompts-delete', 'in_use', { promptId, confirm })).toMatch(
      new RegExp(
        `"${name}" was fetched 4 times within the last 7 days.*3 times with the key "the web" \\(${web.keyId}\\), once with the key "a job" \\(${job.keyId}\\)`,
      ),
    );
  await ask('prompts-delete', { promptId, confirm: true });
});

test('fetches older than seven days need no confirmation', async () => {
  const fetchedBefore = async (days: number) => {
    const { promptId } = await newPrompt(instance.table, { at: daysAgo(20) });
    await countUses(instance.table, { promptId, version: '1.0.0', apiKeyId: 'k' }, daysAgo(days));
    return { promptId };
  };
  await ask('prompts-delete', await fetchedBefore(7.01));
  await refused('prompts-delete', 'in_use', await fetchedBefore(6.99));
});

const create = (name: string, keyId?: string) =>
  newPrompt(instance.table, { name, ...(keyId && { creator: { keyId } }) });
const lives = async (name: string) => isLive(await readPromptHead(instance.table, promptIdOf(name)));
const remove = (body: object) => ask('prompts-delete-several', body);

test('the many prompts of a key are deleted twenty by twenty, also after an interruption, those in use once confirmed', async () => {
  const folder = uniqueName('flood');
  const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], prompts: [`${folder}/*`] });
  const names = Array.from({ length: 70 }, (_, i) => `${folder}/${10 + i}`);
  const [operators, used = '', published = ''] = [`${folder}/20a`, names[7], names[25]];
  await inParallel(names, (name) => create(name, keyId));
  await create(operators);
  const user = await fetchPrompt(promptIdOf(used));
  const which = { createdByKey: keyId };
  await refused('prompts-delete-several', 'forbidden', which, 'editor');

  const first = await remove(which);
  expect(first).toMatchObject({ left: 50, more: false, cursor: names[19] });
  expect(first.deleted).toMatchObject(
    names.slice(0, 20).flatMap((name) => (name === used ? [] : [{ name }])),
  );
  const message = expect.stringContaining(`once with the key "web" (${user.keyId})`);
  expect(first.kept).toEqual([{ promptId: promptIdOf(used), name: used, code: 'in_use', message }]);
  // A job publishes what is being deleted: before, or it is told that an operator decides.
  const publish = (base: string | null) =>
    instance.post('/api/prompt/publish', { name: published, base, content: { prompt: 'y' } }, apiKey);
  const [second, job] = await Promise.all([remove({ ...which, cursor: first.cursor }), publish('1.0.0')]);
  expect(second.deleted).toHaveLength(20);
  expect([200, 409]).toContain(job.status);
  expect((await publish(null)).code).toBe('restorable');

  // Without a cursor, as after a closed window: it begins with what exists.
  const third = await remove(which);
  expect(third).toMatchObject({ kept: [{ name: used }], left: 11 });
  expect((await remove({ ...which, cursor: third.cursor })).cursor).toBeUndefined();
  expect(await Promise.all(names.map(lives))).toEqual(names.map((name) => name === used));
  const none = { deleted: [], kept: [], left: 0, more: false };
  expect(await remove({ ...which, confirm: true })).toMatchObject({ ...none, deleted: [{ name: used }] });
  expect(await remove(which)).toEqual(none);
  expect(await lives(operators)).toBe(true);
  const entries = (await changesBy(['admin'])).filter(({ action }) => action === 'prompt.delete');
  expect(entries.filter(({ name }) => names.includes(name))).toHaveLength(names.length);
  await ask('prompts-restore', { promptId: promptIdOf(used) });
  expect(await lives(used)).toBe(true);
});

test('a folder is deleted with its subfolders, and nothing outside it: a cursor from there is refused', async () => {
  const folder = uniqueName('folder');
  const inside = [`${folder}/a`, `${folder}/deep/b`];
  const outside = [`${folder}-other/a`, folder];
  for (const name of [...inside, ...outside]) await create(name);
  const deleted = inside.map((name) => ({ name }));
  for (const cursor of [folder.slice(0, -1), `${folder}0`])
    await refused('prompts-delete-several', 'invalid_request', { folder, cursor });
  expect(await remove({ folder })).toMatchObject({ deleted, left: 0, more: false });
  expect(await Promise.all([...inside, ...outside].map(lives))).toEqual([false, false, true, true]);
  for (const wrong of [{}, { folder, createdByKey: 'k' }])
    expect(await refused('prompts-delete-several', 'invalid_request', wrong)).toContain(
      'either "folder" or "createdByKey"',
    );
});

import { documentationOf } from '../../../contract/documentation.ts';
import { promptPublish } from '../../../contract/endpoints/publishing.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { daysAfter } from '../../../lambdas/core/days.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { recountPrompts } from '../../../lambdas/store/prompts/counts.ts';
import { readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt, restorePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { getVersion } from '../../../lambdas/store/prompts/lookups.ts';
import { deleteVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { getItem, putItem } from '../../../lambdas/store/table.ts';
import { ask } from '../../support/admin.ts';
import { auditOf, changesOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

// Older than what can be restored.
const LONG_AGO = daysAfter(new Date(), -8);
const COMMIT = '9f2c4b7d1e0a86535c7d9b2f4e6a8c0d1f3b5a79';
const source = (repository: string, commit = COMMIT) => ({ repository, commit, path: 'prompts/x.prompt' });

const aKey = (input: object = {}) => instance.newKey({ name: 'ci', permissions: ['publish'], ...input });

const push = async (body: object, key = aKey()) =>
  instance.post('/api/prompt/publish', body, (await key).apiKey);

const pushed = async (body: object) => {
  const { status, json } = await push(body);
  expect([status, json?.err]).toEqual([200, null]);
  expect(documentationOf(promptPublish).reply.parse(json.res)).toEqual(json.res);
  return json.res;
};

/** A push that must fail with this code. Returns the message. */
const refusedPush = async (code: string, body: object, key = aKey()): Promise<string> => {
  const reply = await push(body, key);
  expect(reply.code).toBe(code);
  return reply.json.err;
};

const aPrompt = async (prompt = 'Hello {{user}}') => {
  const { name, promptId } = await newPrompt(instance.table, { prompt });
  return { name, promptId, base: '1.0.0' };
};

const revOf = async (name: string) => (await readPromptHead(instance.table, promptIdOf(name)))?.rev;

test('whoever sends conditions is told that they are text, and nobody else', async () => {
  const content = {
    prompt: '{{#if vip}}Dear{{ else }}Hi{{/if}}{{^a}}{{#if vip}} {{name}} {{> "x"}} {"a":{}}',
  };
  const hint =
    'Cuevault has no conditions and loops; this is sent as text: {{#if vip}}, {{ else }}, {{/if}}, ….';
  const name = uniqueName('pushed');
  expect((await pushed({ name, content, base: null })).hint).toBe(hint);
  const other = { name, content: { prompt: 'Hi {{name}}' }, base: '1.0.0' };
  expect((await pushed(other)).hint).toBeUndefined();
  const params = { promptId: promptIdOf(name) };
  const messages = [{ role: 'user', content: content.prompt }];
  const chat = { type: 'chat', messages, bump: 'major', changeType: true };
  expect((await ask(instance, 'versions-publish', { params, body: chat })).hint).toBe(hint);
  const body = { name: uniqueName('prompt'), ...content };
  expect((await ask(instance, 'prompts-create', { body })).hint).toBe(hint);
});

test('a new prompt begins at 1.0.0, and after a deleted one above it; both are recorded with key and source', async () => {
  const name = uniqueName('pushed');
  const { apiKey, keyId } = await aKey();
  const body = { name, content: { prompt: 'Hello' }, base: null, source: source('acme/app') };
  const first = await instance.post('/api/prompt/publish', body, apiKey);
  expect(first.json.res).toMatchObject({ version: '1.0.0', created: true, breaking: [] });
  expect(await getVersion(instance.table, promptIdOf(name), '1.0.0')).toMatchObject({
    publishedBy: 'API key ci',
    source: source('acme/app'),
  });
  expect(await changesOf(instance, promptIdOf(name))).toMatchObject([
    {
      action: 'prompt.create',
      actor: 'API key ci',
      actorId: keyId,
      details: { version: '1.0.0', source: source('acme/app') },
    },
  ]);
  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(name));
  expect(await pushed(body)).toMatchObject({ version: '2.0.0', created: true });
});

test('a key never creates over a prompt that an operator can restore, and the restore then works', async () => {
  const { name, promptId } = await aPrompt();
  await deletePrompt(instance.table, changeAt(), promptId);
  for (const dryRun of [true, false]) {
    const body = { name, base: null, content: { prompt: 'Mine' }, dryRun };
    expect(await refusedPush('restorable', body)).toContain('operator');
  }
  expect(await restorePrompt(instance.table, changeAt(), promptId)).toMatchObject({ latest: '1.0.0' });
});

test('tabs, line feeds and CRLF are published byte for byte', async () => {
  const name = uniqueName('pushed');
  await pushed({ name, base: null, content: { prompt: 'a\tb\nc\r\nd' } });
  expect((await getVersion(instance.table, promptIdOf(name), '1.0.0')).prompt).toBe('a\tb\nc\r\nd');
});

test.each([
  ['a text that needs another variable', { prompt: 'Hello {{user}}, {{place}}' }, '2.0.0', 1],
  ['another text', { prompt: 'Good day {{user}}' }, '1.1.0', 0],
  ['only tags', { prompt: 'Hello {{user}}', tags: ['polite'] }, '1.0.1', 0],
  [
    'a chat instead of a text',
    { type: 'chat', messages: [{ role: 'user', content: '{{user}}' }] },
    '2.0.0',
    1,
  ],
])('with "auto", %s is published as %s', async (_, content, version, breaking) => {
  const { name, base } = await aPrompt();
  const res = await pushed({ name, base, content });
  expect([res.version, res.created, res.breaking.length]).toEqual([version, true, breaking]);
});

test('a smaller version that breaks applications needs "allowBreaking"', async () => {
  const { name, base } = await aPrompt();
  const body = { name, base, content: { prompt: 'Hello' }, bump: 'minor' };
  expect(await refusedPush('breaking_change', body)).toContain('variable-removed "user"');
  expect(await pushed({ ...body, allowBreaking: true })).toMatchObject({
    version: '1.1.0',
    breaking: [{ kind: 'variable-removed', name: 'user' }],
  });
});

test('repeating a publish changes nothing, whatever its base', async () => {
  const { name, base } = await aPrompt();
  const body = { name, base, content: { prompt: 'Hi {{user}}' }, source: source('acme/app') };
  const first = await pushed(body);
  const rev = await revOf(name);
  expect(await pushed(body)).toEqual({ ...first, created: false });
  expect(await pushed({ ...body, base: null })).toEqual({ ...first, created: false });
  expect(await revOf(name)).toBe(rev);
});

test('a version that someone else has published meanwhile is not replaced: the error names both', async () => {
  const { name } = await aPrompt();
  const outdated = { name, base: null, content: { prompt: 'Hi {{user}}' } };
  expect(await refusedPush('changed_meanwhile', outdated)).toMatch(/1\.0\.0.*no prompt/);
});

test('an exact version is published once, in any order; a number that has another content, or had one, is refused', async () => {
  const name = uniqueName('pushed');
  const first = { name, base: null, version: '2.0.0', content: { prompt: 'Two {{user}}' } };
  expect(await pushed({ ...first, dryRun: true })).toMatchObject({ version: '2.0.0', created: true });
  expect(await pushed(first)).toMatchObject({ version: '2.0.0', created: true });
  // The same content as the latest is a version of its own.
  const same = { ...first, base: '2.0.0', version: '4.0.0' };
  expect(await pushed(same)).toMatchObject({ version: '4.0.0', created: true });
  const lower = { ...first, base: '4.0.0', version: '1.0.0', content: { prompt: 'One' } };
  expect(await push(lower)).toMatchObject({ status: 409, code: 'breaking_change' });
  expect(await pushed({ ...lower, allowBreaking: true })).toMatchObject({ version: '1.0.0', created: true });
  expect(await readPromptHead(instance.table, promptIdOf(name))).toMatchObject({
    latest: '4.0.0',
    versions: 3,
  });

  const rev = await revOf(name);
  expect(await pushed(first)).toMatchObject({ version: '2.0.0', created: false, breaking: [] });
  await refusedPush('version_taken', { ...lower, content: { prompt: 'Other' }, allowBreaking: true });
  expect(await revOf(name)).toBe(rev);

  await deleteVersion(instance.table, changeAt(), promptIdOf(name), '2.0.0');
  for (const dryRun of [true, false]) await refusedPush('version_taken', { ...first, base: '4.0.0', dryRun });

  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(name));
  await refusedPush('version_taken', first);
});

test('a key creates as many prompts as it may, exactly, and a purge gives them back', async () => {
  const key = aKey({ mostPrompts: 2 });
  const names = [1, 2, 3, 4].map(() => uniqueName('pushed'));
  const create = (name = '', more: object = {}) =>
    push({ name, base: null, content: { prompt: 'x' }, ...more }, key);
  expect((await create(names[0], { dryRun: true })).json.res.mayCreate).toBe(1);
  const replies = await Promise.all(names.map((name) => create(name)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  const refused = names.find((_, i) => replies[i]?.status === 409);
  const full = await create(refused, { dryRun: true });
  expect([full.code, full.json.err]).toEqual(['too_many_prompts', expect.stringContaining('2 prompts')]);
  const made = names.find((_, i) => replies[i]?.status === 200) ?? '';
  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(made));
  await purgePrompts(instance.table, new Date());
  expect((await create(uniqueName('pushed'))).json.res).toMatchObject({ created: true, mayCreate: 0 });
});

test('with as many prompts as there can be, nobody creates another until a day with fewer', async () => {
  const row = { pk: PARTITIONS.promptCount, sk: 'COUNT' };
  await putItem(instance.table, { ...row, prompts: LIMITS.prompts });
  const body = { name: uniqueName('pushed'), base: null, content: { prompt: 'x' } };
  await refusedPush('too_many_prompts', body);
  await recountPrompts(instance.table);
  const counted = await getItem(instance.table, row);
  expect(await pushed(body)).toMatchObject({ created: true });
  expect(await getItem(instance.table, row)).toMatchObject({ prompts: Number(counted?.prompts) + 1 });
});

test('a chosen version exceeds no part of the highest by more than 1,000, so that numbers remain', async () => {
  const { name, base } = await aPrompt();
  const body = { name, base, content: { prompt: 'Hi {{user}}' } };
  for (const version of ['1002.0.0', '1.1001.0', '2.0.1001'])
    expect(await refusedPush('invalid_request', { ...body, version })).toContain('1000');
  expect(await pushed({ ...body, version: '1001.1000.1000' })).toMatchObject({ created: true });
});

test('invented repositories displace none that published, and none is recorded with an outdated base', async () => {
  const { name, promptId } = await aPrompt('Edited');
  const body = { name, base: '1.0.0', content: { prompt: 'Ours' }, source: source('acme/app') };
  const { version } = await pushed(body);
  const adopt = (repository: string, base: string | null = version) =>
    pushed({ ...body, base, source: source(repository) });
  await adopt('acme/late', '1.0.0');
  for (let n = 1; n <= 6; n++) await adopt(`invented/${n}`);
  const { sources = [] } = (await readPromptHead(instance.table, promptId)) ?? {};
  const repositories = sources.map(({ repository }) => repository);
  expect(repositories).toHaveLength(5);
  expect(repositories).toEqual(expect.arrayContaining(['acme/app', 'invented/6']));
  expect(repositories).not.toContain('acme/late');
});

test('25,000 variables are refused before they are compared; of many breaks, 100 are listed with their number', async () => {
  const { name, base } = await aPrompt();
  const text = (count: number) => Array.from({ length: count }, (_, n) => `{{v${n}}}`).join('');
  const many = { name, base, content: { prompt: text(25_000) } };
  expect(await refusedPush('invalid_request', many)).toContain('1000 variables');
  const res = await pushed({ name, base, content: { prompt: text(1_000) }, dryRun: true });
  expect([res.breaking.length, res.breakingCount]).toEqual([100, 1_001]);
});

test('of concurrent publishes, one wins and the others get 409', async () => {
  const { name, base, promptId } = await aPrompt();
  const replies = await Promise.all(
    [1, 2, 3].map((n) => push({ name, base, content: { prompt: `Hi {{user}} ${n}` } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await readPromptHead(instance.table, promptId))?.versions).toBe(2);
});

test('a dry run answers the same and writes nothing', async () => {
  const { name, base, promptId } = await aPrompt();
  const body = { name, base, content: { prompt: 'Hi {{user}}' }, source: source('acme/app') };
  const before = await readPromptHead(instance.table, promptId);
  const dry = await pushed({ ...body, dryRun: true });
  expect(await readPromptHead(instance.table, promptId)).toEqual(before);
  expect(await pushed(body)).toEqual(dry);
  const fresh = uniqueName('pushed');
  expect(await pushed({ ...body, name: fresh, base: null, dryRun: true })).toMatchObject({
    version: '1.0.0',
  });
  expect(await readPromptHead(instance.table, promptIdOf(fresh))).toBeUndefined();
});

test('a repository whose file is equal to what an operator published is recorded, once', async () => {
  const { name, promptId } = await aPrompt('Edited');
  const body = { name, base: '1.0.0', content: { prompt: 'Edited' }, source: source('acme/app') };
  expect(await pushed(body)).toMatchObject({ version: '1.0.0', created: false });
  const rev = await revOf(name);
  await pushed(body);
  const head = await readPromptHead(instance.table, promptId);
  expect([head?.rev, head?.versions, head?.sources?.[0]]).toMatchObject([
    rev,
    1,
    { repository: 'acme/app', version: '1.0.0', commit: COMMIT },
  ]);
  expect((await changesOf(instance, promptId)).map(({ action }) => action)).toEqual([
    'prompt.adopt',
    'prompt.create',
  ]);
});

test('a key publishes only the prompts that it is limited to, and the refusal does not tell whether one exists', async () => {
  const { name, base } = await aPrompt();
  const limited = aKey({ prompts: ['team/*'] });
  for (const each of [name, uniqueName('absent')])
    await refusedPush('forbidden', { name: each, base, content: { prompt: 'x' } }, limited);
});

test.each([
  ['a misspelled field', { allowBreakin: true }, 'Did you mean "allowBreaking"?'],
  ['a version that leaves too few numbers', { version: '100000.0.0' }, 'up to 99999'],
  ['a missing base', { base: undefined }, '"base" is required'],
  ['a field of the content that does not exist', { content: { text: 'x' } }, 'of "content"'],
  ['a content that cannot be published', { content: { type: 'chat', prompt: 'x' } }, '"messages"'],
  ['a key that redirects the call', { content: { prompt: 'x', config: { api_base: 'x' } } }, '"api_base"'],
  ['one in another spelling', { content: { prompt: 'x', config: { extraHeaders: {} } } }, '"extraHeaders"'],
  [
    'a path that leaves the repository',
    { source: { ...source('acme/app'), path: 'a/../../b' } },
    '"source.path"',
  ],
  ['an invisible path', { source: { ...source('acme/app'), path: 'a\u202eb' } }, '"source.path"'],
  ['a repository of dots', { source: source('acme/..') }, '"source.repository"'],
  [
    'tags of more than 1 KB',
    { content: { prompt: 'x', tags: Array.from({ length: 9 }, (_, n) => `${n}`.repeat(120)) } },
    '1024 bytes',
  ],
  ['an abbreviated commit', { source: source('acme/app', '9f2c4b7') }, 'full hash of a commit'],
  ['a repository with a scheme', { source: source('javascript:alert(1)') }, 'without a scheme'],
])('%s is refused with the field that is wrong', async (_, wrong, sentence) => {
  const body = { name: 'x', content: { prompt: 'x' }, base: null, ...wrong };
  expect(await refusedPush('invalid_request', body)).toContain(sentence);
});

test('a key that compares gets lists, sources and dry runs of its prompts, and writes nothing', async () => {
  const { name, promptId } = await aPrompt();
  const limits = { prompts: [name], labels: ['staging'] };
  const { apiKey, keyId } = await aKey({ permissions: ['compare'], ...limits });
  const call = async (path: string, body: object) => {
    const { status, json } = await instance.post(`/api/prompt/${path}`, body, apiKey);
    return status === 200 ? json.res : json.err;
  };
  const body = { name, base: '1.0.0', content: { prompt: 'Hi {{user}}' } };
  const moves = [{ name, label: 'staging', from: null, to: '1.0.0' }];
  expect((await call('list', {})).prompts).toMatchObject([{ name }]);
  expect((await call('source', { names: [name] })).prompts).toMatchObject([{ name }]);
  expect(await call('publish', { ...body, dryRun: true })).toMatchObject({ version: '1.1.0', created: true });
  expect(await call('move-labels', { moves, dryRun: true })).toEqual({ moved: true });
  for (const dryRun of [undefined, false]) {
    expect(await call('publish', { ...body, dryRun })).toContain('lacks the permission "publish"');
    expect(await call('move-labels', { moves, dryRun })).toContain('lacks the permission "publish"');
  }
  expect(await call('publish', { ...body, name: `${name}-other`, dryRun: true })).toContain(
    'may not publish',
  );
  expect(
    await call('move-labels', { moves: [{ ...moves[0], label: 'production' }], dryRun: true }),
  ).toContain('may not move');
  const unchanged = { latest: '1.0.0', labels: [], rev: 1 };
  expect(await readPromptHead(instance.table, promptId)).toMatchObject(unchanged);
  const refused = (await auditOf(instance, 'refusal', keyId)).map(({ details }) => details.reason);
  expect(new Set(refused)).toEqual(new Set(['permission', 'publish', 'label']));
});

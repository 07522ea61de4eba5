import { ERROR_STATUS, type ErrorCode } from '../../../contract/http/errors.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { recountPrompts } from '../../../lambdas/store/prompts/counts.ts';
import { readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { purgePrompts } from '../../../lambdas/store/prompts/purge.ts';
import { getItem, putItem } from '../../../lambdas/store/table.ts';
import { ask, column, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { allPages } from '../../support/pages.ts';
import { auditOf, changesOf } from '../../support/rows/audit.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { lastUseOf, usageOf } from '../../support/rows/usage.ts';
import * as scenarios from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

// Older than what can be restored.
const LONG_AGO = daysAgo(8);
const COMMIT = '9f2c4b7d1e0a86535c7d9b2f4e6a8c0d1f3b5a79';
const source = (repository: string, commit = COMMIT) => ({ repository, commit, path: 'prompts/x.prompt' });
type Key = Awaited<ReturnType<typeof instance.newKey>>;
const aKey = (input: object = {}): Promise<Key> =>
  instance.newKey({ name: 'ci', permissions: ['publish'], labels: ['staging', 'beta'], ...input });

type Route = 'prompt-list' | 'prompt-source' | 'prompt-publish' | 'prompt-move-labels';

/** Calls an endpoint as a job does. */
const call = async (route: Route, body: object, key: Key | Promise<Key> = aKey()) => {
  const { status, code, json } = await send(route, body, { token: (await key).apiKey });
  return { status, code, ...json };
};
const push = (body: object, key?: Promise<Key>) => call('prompt-publish', body, key);
const pushed = async (body: object) => {
  const { err, res } = await push(body);
  expect(err).toBeNull();
  return res;
};

/** A push that must fail with this code. Returns the message. */
const refusedPush = async (code: ErrorCode, body: object, key?: Promise<Key>): Promise<string> => {
  const reply = await push(body, key);
  expect([reply.status, reply.code, reply.res]).toEqual([ERROR_STATUS[code], code, null]);
  return reply.err;
};

const aPrompt = async (prompt = 'Hello {{user}}') => {
  const { name, promptId } = await newPrompt(instance.table, { prompt });
  return { name, promptId, base: '1.0.0' };
};
const headOf = (name: string) => readPromptHead(instance.table, promptIdOf(name));
const revOf = async (name: string) => (await headOf(name))?.rev;

test('whoever sends conditions is told that they are text, and nobody else', async () => {
  const prompt = '{{#if vip}}Dear{{ else }}Hi{{/if}}{{^a}}{{#if vip}} {{name}} {{> "x"}} {"a":{}}';
  const hint =
    'Cuevault has no conditions or loops; this is sent as text: {{#if vip}}, {{ else }}, {{/if}}, ….';
  const name = uniqueName('pushed');
  expect((await pushed({ name, content: { prompt }, base: null })).hint).toBe(hint);
  const other = { name, content: { prompt: 'Hi {{name}}' }, base: '1.0.0' };
  expect((await pushed(other)).hint).toBeUndefined();
  const messages = [{ role: 'user', content: prompt }];
  const chat = { promptId: promptIdOf(name), type: 'chat', messages, bump: 'major', changeType: true };
  expect((await ask('versions-publish', chat)).hint).toBe(hint);
  expect((await ask('prompts-create', { name: uniqueName('prompt'), prompt })).hint).toBe(hint);
});

test('a new prompt begins at 1.0.0, and after a deleted one above it; both are recorded with key and source', async () => {
  const name = uniqueName('pushed');
  const key = await aKey();
  const body = { name, content: { prompt: 'a\tb\nc\r\nd' }, base: null, source: source('acme/app') };
  const first = await call('prompt-publish', body, key);
  expect(first.res).toMatchObject({ version: '1.0.0', created: true, breaking: [] });
  expect((await ask('versions-get', { promptId: promptIdOf(name), version: '1.0.0' })).version).toMatchObject(
    {
      ...body.content,
      publishedBy: 'API key ci',
      source: source('acme/app'),
    },
  );
  const details = { version: '1.0.0', source: source('acme/app') };
  expect(await changesOf(promptIdOf(name))).toMatchObject([
    { action: 'prompt.create', actor: 'API key ci', actorId: key.keyId, details },
  ]);
  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(name));
  expect(await pushed(body)).toMatchObject({ version: '2.0.0', created: true });
});

test('a key never creates over a prompt that an operator can restore, and the restore then works', async () => {
  const { name, promptId } = await aPrompt();
  await deletePrompt(instance.table, changeAt(), promptId);
  const body = { name, base: null, content: { prompt: 'Mine' } };
  for (const dryRun of [true, false])
    expect(await refusedPush('restorable', { ...body, dryRun })).toContain('operator');
  expect((await ask('prompts-restore', { promptId })).prompt).toMatchObject({ latest: '1.0.0' });
});

const CHAT = { type: 'chat', messages: [{ role: 'user', content: '{{user}}' }] };
test.each([
  ['a text that needs another variable', '2.0.0', { prompt: 'Hello {{user}}, {{place}}' }],
  ['another text', '1.1.0', { prompt: 'Good day {{user}}' }],
  ['only tags', '1.0.1', { prompt: 'Hello {{user}}', tags: ['polite'] }],
  ['a chat instead of a text', '2.0.0', CHAT],
])(
  'with "auto", %s is published as %s; a dry run answers the same and writes nothing',
  async (_, version, content) => {
    const { name, base } = await aPrompt();
    const body = { name, base, content, source: source('acme/app') };
    const before = await headOf(name);
    const dry = await pushed({ ...body, dryRun: true });
    expect(await headOf(name)).toEqual(before);
    const { breaking, ...res } = await pushed(body);
    expect({ ...res, breaking }).toEqual(dry);
    expect(res).toMatchObject({ version, created: true });
    expect(breaking).toHaveLength(version === '2.0.0' ? 1 : 0);
  },
);

test('repeating a publish changes nothing, whatever its base; another version is not replaced, and the error names both', async () => {
  const { name, base } = await aPrompt();
  const body = { name, base, content: { prompt: 'Hi {{user}}' }, source: source('acme/app') };
  const first = await pushed(body);
  const rev = await revOf(name);
  for (const again of [body, { ...body, base: null }])
    expect(await pushed(again)).toEqual({ ...first, created: false });
  const other = { ...body, base: null, content: { prompt: 'Other {{user}}' } };
  expect(await refusedPush('changed_meanwhile', other)).toMatch(/1\.1\.0.*no prompt/);
  expect(await revOf(name)).toBe(rev);
});

test('an exact version is published once, in any order, one that breaks applications with "allowBreaking"; a number that has another content, or had one, is refused', async () => {
  const name = uniqueName('pushed');
  const first = { name, base: null, version: '2.0.0', content: { prompt: 'Two {{user}}' } };
  for (const dryRun of [true, false])
    expect(await pushed({ ...first, dryRun })).toMatchObject({ version: '2.0.0', created: true });
  // The same content as the latest is a version of its own.
  const same = { ...first, base: '2.0.0', version: '4.0.0' };
  expect(await pushed(same)).toMatchObject({ version: '4.0.0', created: true });
  const lower = { ...first, base: '4.0.0', version: '1.0.0', content: { prompt: 'One' } };
  expect(await refusedPush('breaking_change', lower)).toContain('variable-removed "user"');
  const breaking = [{ kind: 'variable-removed', name: 'user' }];
  const published = { version: '1.0.0', created: true, breaking };
  expect(await pushed({ ...lower, allowBreaking: true })).toMatchObject(published);
  expect(await headOf(name)).toMatchObject({ latest: '4.0.0', versions: 3 });

  const rev = await revOf(name);
  expect(await pushed(first)).toMatchObject({ version: '2.0.0', created: false, breaking: [] });
  await refusedPush('version_taken', { ...lower, content: { prompt: 'Other' }, allowBreaking: true });
  expect(await revOf(name)).toBe(rev);

  await ask('versions-delete', { promptId: promptIdOf(name), version: '2.0.0' });
  for (const dryRun of [true, false]) await refusedPush('version_taken', { ...first, base: '4.0.0', dryRun });

  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(name));
  await refusedPush('version_taken', first);
});

test('a key creates as many prompts as it may, exactly, and a purge gives them back', async () => {
  const key = aKey({ mostPrompts: 2 });
  const names = [1, 2, 3, 4].map(() => uniqueName('pushed'));
  const create = (name = uniqueName('pushed'), dryRun = false) =>
    push({ name, base: null, content: { prompt: 'x' }, dryRun }, key);
  expect((await create(names[0], true)).res).toMatchObject({ created: true });
  const replies = await Promise.all(names.map((name) => create(name)));
  expect(column(replies, 'status').toSorted()).toEqual([200, 200, 409, 409]);
  const full = await create(
    names.find((_, i) => replies[i]?.status === 409),
    true,
  );
  expect([full.code, full.err]).toEqual(['too_many_prompts', expect.stringContaining('2 prompts')]);
  const made = names.find((_, i) => replies[i]?.status === 200) ?? '';
  await deletePrompt(instance.table, changeAt(LONG_AGO), promptIdOf(made));
  await purgePrompts(instance.table, new Date());
  expect((await create()).res).toMatchObject({ created: true });
  expect((await create()).code).toBe('too_many_prompts');
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
  const adopt = (repository: string, base: string = version) =>
    pushed({ ...body, base, source: source(repository) });
  await adopt('acme/late', '1.0.0');
  for (let n = 1; n <= 6; n++) await adopt(`invented/${n}`);
  const { sources = [] } = (await readPromptHead(instance.table, promptId)) ?? {};
  const repositories = column(sources, 'repository');
  expect(repositories).toHaveLength(5);
  expect(repositories).toEqual(expect.arrayContaining(['acme/app', 'invented/6']));
  expect(repositories).not.toContain('acme/late');
});

const variables = (count: number) => Array.from({ length: count }, (_, n) => `{{v${n}}}`).join('');

test('of many breaks, 100 are listed with their number', async () => {
  const { name, base } = await aPrompt();
  const res = await pushed({ name, base, content: { prompt: variables(1_000) }, dryRun: true });
  expect([res.breaking.length, res.breakingCount]).toEqual([100, 1_001]);
});

test('a repository whose file is equal to what an operator published is recorded, once', async () => {
  const { name, promptId } = await aPrompt('Edited');
  const body = { name, base: '1.0.0', content: { prompt: 'Edited' }, source: source('acme/app') };
  expect(await pushed(body)).toMatchObject({ version: '1.0.0', created: false });
  const rev = await revOf(name);
  await pushed(body);
  const recorded = { repository: 'acme/app', version: '1.0.0', commit: COMMIT };
  expect(await headOf(name)).toMatchObject({ rev, versions: 1, sources: [recorded] });
  const actions = column(await changesOf(promptId), 'action');
  expect(actions).toEqual(['prompt.adopt', 'prompt.create']);
});

test.each<[string, object]>([
  ['Did you mean "allowBreaking"?', { allowBreakin: true }],
  ['up to 99999', { version: '100000.0.0' }],
  ['"base" is required', { base: undefined }],
  ['of "content"', { content: { text: 'x' } }],
  ['1000 variables', { content: { prompt: variables(25_000) } }],
  ['"messages"', { content: { type: 'chat', prompt: 'x' } }],
  ['"api_base"', { content: { prompt: 'x', config: { api_base: 'x' } } }],
  ['"extraHeaders"', { content: { prompt: 'x', config: { extraHeaders: {} } } }],
  ['"source.path"', { source: { ...source('acme/app'), path: 'a/../../b' } }],
  ['"source.path"', { source: { ...source('acme/app'), path: 'a\u202eb' } }],
  ['"source.repository"', { source: source('acme/..') }],
  ['1024 bytes', { content: { prompt: 'x', tags: Array.from({ length: 9 }, (_, n) => `${n}`.repeat(120)) } }],
  ['full hash of a commit', { source: source('acme/app', '9f2c4b7') }],
  ['without a scheme', { source: source('javascript:alert(1)') }],
])('a push is refused with what is wrong: %s', async (sentence, wrong) => {
  const body = { name: 'x', content: { prompt: 'x' }, base: null, ...wrong };
  expect(await refusedPush('invalid_request', body)).toContain(sentence);
});

test('a key that compares gets lists, sources and dry runs of its prompts alone, is not told whether others exist, and writes nothing', async () => {
  const { name } = await aPrompt();
  const key = await aKey({ permissions: ['compare'], prompts: [name] });
  const body = { name, base: '1.0.0', content: { prompt: 'Hi {{user}}' } };
  const [move] = [{ name, label: 'staging', from: null, to: '1.0.0' }];
  const compare = async (route: Route, sent: object) => {
    const { err, res } = await call(route, sent, key);
    return res ?? err;
  };
  const dryRun = true;
  expect((await compare('prompt-list', {})).prompts).toMatchObject([{ name }]);
  expect((await compare('prompt-source', { names: [name] })).prompts).toMatchObject([{ name }]);
  expect(await compare('prompt-publish', { ...body, dryRun })).toMatchObject({
    version: '1.1.0',
    created: true,
  });
  expect(await compare('prompt-move-labels', { moves: [move], dryRun })).toEqual({ moved: true });
  for (const isDry of [{}, { dryRun: false }]) {
    const sentence = 'lacks the permission "publish"';
    expect(await compare('prompt-publish', { ...body, ...isDry })).toContain(sentence);
    expect(await compare('prompt-move-labels', { moves: [move], ...isDry })).toContain(sentence);
  }
  for (const elsewhere of [(await aPrompt()).name, uniqueName('absent')])
    expect(await compare('prompt-publish', { ...body, name: elsewhere, dryRun })).toContain(
      'may not publish',
    );
  const moves = [{ ...move, label: 'production' }];
  expect(await compare('prompt-move-labels', { moves, dryRun })).toContain('may not move');
  expect(await headOf(name)).toMatchObject({ latest: '1.0.0', labels: [], rev: 1 });
  const refusals = await auditOf('refusal', key.keyId);
  expect(new Set(refusals.map(({ details }) => details.reason))).toEqual(
    new Set(['permission', 'publish', 'label']),
  );
});

const list = async (key: Key, body: object) => (await call('prompt-list', body, key)).res;

test('pages follow each other by name without gaps, and a restricted key sees what it may; another cursor is refused', async () => {
  const folder = uniqueName('folder');
  const names = ['a', 'b', 'c', 'Ω', '𝄞'].map((name) => `${folder}/${name}`);
  for (const name of [...names, `${folder}/d-deleted`]) await newPrompt(instance.table, { name });
  await deletePrompt(instance.table, changeAt(), promptIdOf(`${folder}/d-deleted`));
  const all = await aKey({ prompts: [`${folder}/*`] });
  const found = await allPages(
    (continued) => list(all, { limit: 2, ...continued }),
    ({ prompts, cursor }) => {
      const page = column(prompts, 'name');
      expect([undefined, page.at(-1)]).toContain(cursor);
      return page;
    },
  );
  expect(found).toEqual(names);
  const [a, b, c, omega] = names;
  const some = await aKey({ prompts: [`${folder}/x*`, `${folder}/Ω*`, omega, b] });
  const visible = async (body: object) => column((await list(some, body)).prompts, 'name');
  expect(await visible({})).toEqual([b, omega]);
  for (const cursor of [b, `${folder}/xyz`]) expect(await visible({ cursor })).toEqual([omega]);
  for (const cursor of [a, c, '~']) expect((await call('prompt-list', { cursor }, some)).status).toBe(400);
});

test('with a label, only prompts that have it are listed, with what its versions take, as many as fit', async () => {
  const folder = uniqueName('labelled');
  const variables = {
    a: { type: 'number', description: 'A number' },
    b: { type: 'string', default: '' },
  } as const;
  const make = (name: string, more: object = { prompt: 'Plain' }) =>
    newPrompt(instance.table, { note: 'Note', name: `${folder}/${name}`, ...more });
  const names = Array.from({ length: 22 }, (_, n) => `p${10 + n}`);
  await make('unlabelled');
  for (const made of [
    ...(await Promise.all(names.map((name) => make(name)))),
    await make('x', { prompt: '{{a}} {{b}} {{__proto__}}', variables }),
  ])
    await ask('labels-set', { promptId: made.promptId, label: 'live', version: '1.0.0' });
  const key = await instance.newKey({ permissions: ['prompts'], prompts: [`${folder}/*`] });
  const found = await allPages(
    (continued) => list(key, { label: 'live', ...continued }),
    ({ prompts }) => prompts as { name: string; labelled: object }[],
  );
  expect(column(found, 'name')).toEqual([...names, 'x'].map((name) => `${folder}/${name}`));
  expect(found.at(-1)?.labelled).toEqual({
    version: '1.0.0',
    note: 'Note',
    variables: [
      { name: 'a', type: 'number', description: 'A number', required: true },
      { name: 'b', type: 'string', required: false },
      { name: '__proto__', required: true },
    ],
  });
  expect((await list(key, {})).prompts[0]).not.toHaveProperty('labelled');
});

test('sources come as their authors wrote them, are no use of the prompts, and leave an audit entry for each', async () => {
  const folder = uniqueName('sources');
  const [a, name] = [`${folder}/a`, `${folder}/chat`];
  await newPrompt(instance.table, { name: a });
  const key = await aKey({ prompts: [`${folder}/*`] });
  const chat = { ...CHAT, tags: ['x'] };
  await call('prompt-publish', { name, content: chat, base: null, note: 'First' }, key);
  const sources = (...names: string[]) => call('prompt-source', { names }, key);
  expect((await sources(name, a)).res.prompts).toMatchObject([
    { name, version: '1.0.0', note: 'First', content: { ...chat, metaProperties: {} } },
    { name: a, content: { prompt: 'Hello', tags: [], metaProperties: {} } },
  ]);
  const exports = (await auditOf('change', key.keyId)).filter(({ action }) => action === 'prompt.export');
  expect(exports.map(({ subject, details }) => [subject, details.version]).sort()).toEqual(
    [name, a].map((each) => [promptIdOf(each), '1.0.0']).sort(),
  );
  await instance.settled();
  expect(await usageOf(instance.table, promptIdOf(name), 1, new Date())).toEqual([]);
  expect(await lastUseOf(instance.table, key.keyId)).toBeDefined();
  expect((await sources(name, `${folder}/absent`)).code).toBe('prompt_not_found');
  expect((await sources('elsewhere', a)).code).toBe('forbidden');
  const refusals = await auditOf('refusal', key.keyId);
  expect(refusals.map(({ details }) => details.asked)).toEqual([`elsewhere, ${a}`]);
});

const move = (moves: readonly object[], key?: Promise<Key>, more: object = {}) =>
  call('prompt-move-labels', { moves, ...more }, key);

/** Two prompts whose label `staging` is at 1.0.0, the first of two versions. */
const twoPrompts = async () => {
  const prompts = [await scenarios.aPrompt(), await scenarios.aPrompt()] as const;
  for (const { promptId } of prompts)
    await ask('labels-set', { promptId, label: 'staging', version: '1.0.0' });
  return prompts;
};
const AT_FIRST = [{ label: 'staging', version: '1.0.0' }];
const staging = (name: string, from: string | null, to: string | null) => ({
  name,
  label: 'staging',
  from,
  to,
});
const labelsOf = async (name: string) => (await headOf(name))?.labels;

test('a set moves, sets and removes labels at once, is undone as a set, and is recorded as one', async () => {
  const [one, two] = await twoPrompts();
  const moves = [
    staging(one.name, '1.0.0', '1.1.0'),
    { name: one.name, label: 'beta', from: null, to: '1.1.0' },
    staging(two.name, '1.0.0', null),
  ];
  const { res } = await move(moves);
  expect(res).toEqual({ moved: true, set: expect.stringMatching(/^set_/) });
  const moved = ['beta', 'staging'].map((label) => ({ label, version: '1.1.0' }));
  expect([await labelsOf(one.name), await labelsOf(two.name)]).toEqual([moved, []]);
  const { set } = res;
  expect(await changesOf(set)).toMatchObject([
    { action: 'label.move-set', actor: 'API key ci', details: { moves } },
  ]);
  const details = { label: 'staging', from: '1.0.0', set };
  expect((await changesOf(two.promptId))[0]).toMatchObject({ action: 'label.remove', details });
  await move(moves.map(({ from, to, ...of }) => ({ ...of, from: to, to: from })));
  expect([await labelsOf(one.name), await labelsOf(two.name)]).toEqual([AT_FIRST, AT_FIRST]);
});

test('if one label has moved meanwhile, none is moved, unless all are where they are to go', async () => {
  const [one, two] = await twoPrompts();
  const reply = await move([staging(one.name, '1.0.0', '1.1.0'), staging(two.name, '1.1.0', '1.0.0')]);
  expect([reply.status, reply.code]).toEqual([409, 'changed_meanwhile']);
  expect(reply.err).toContain(`"${two.name}" points to 1.0.0 now`);
  expect(await labelsOf(one.name)).toEqual(AT_FIRST);
  const repeated = [staging(one.name, '1.1.0', '1.0.0'), staging(two.name, null, '1.0.0')];
  expect((await move(repeated)).res).toEqual({ moved: false });
});

test('a key moves only its labels, of its prompts, and never a protected one; a dry run checks everything and moves nothing', async () => {
  const [{ name }] = await twoPrompts();
  const moves = [staging(name, '1.0.0', '1.1.0')];
  const dryRun = { dryRun: true };
  expect((await move(moves, undefined, dryRun)).res).toEqual({ moved: true });
  const absent = [staging(name, '1.0.0', '9.0.0')];
  expect((await move(absent, undefined, dryRun)).code).toBe('version_not_found');
  for (const limits of [{ labels: [] }, { labels: ['beta'] }, { prompts: ['team/*'] }])
    expect((await move(moves, aKey(limits))).code).toBe('forbidden');
  const label = uniqueName('protected');
  await ask('labels-protect', { label });
  const key = aKey({ labels: [label] });
  const guarded = [{ name, label, from: null, to: '1.0.0' }];
  expect((await move(guarded, key)).code).toBe('label_protected');
  // Whoever probes with a stolen key is seen, with what was asked for.
  expect(await auditOf('refusal', (await key).keyId)).toMatchObject([
    { details: { reason: 'protected_label', asked: `${label} of ${name}` } },
  ]);
  expect(await labelsOf(name)).toEqual(AT_FIRST);
});

test('a label twice, no move, and a move that goes nowhere are refused', async () => {
  const twice = staging('x', '1.0.0', '1.1.0');
  for (const moves of [[], [twice, twice], [staging('x', '1.0.0', '1.0.0')]])
    expect((await move(moves)).code).toBe('invalid_request');
});

import { documentationOf } from '../../../contract/documentation.ts';
import { promptList, promptMoveLabels, promptSource } from '../../../contract/endpoints/publishing.ts';
import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { readPromptHead } from '../../../lambdas/store/prompts/head.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { protectLabel } from '../../../lambdas/store/prompts/protection.ts';
import { allPages } from '../../support/pages.ts';
import { auditOf, changesOf } from '../../support/rows/audit.ts';
import { content } from '../../support/rows/prompts.ts';
import { changeAt } from '../../support/rows/table.ts';
import { lastUseOf, usageOf } from '../../support/rows/usage.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const folder = uniqueName('folder');
const names = ['a', 'b', 'c', 'Ω', '𝄞'].map((name) => `${folder}/${name}`);

beforeAll(async () => {
  for (const name of [...names, `${folder}/d-deleted`])
    await createPrompt(instance.table, changeAt(), { ...content(`Hello from ${name}`), name });
  await deletePrompt(instance.table, changeAt(), promptIdOf(`${folder}/d-deleted`));
});

const list = async (key: { apiKey: string }, body: object) => {
  const { status, json } = await instance.post('/api/prompt/list', body, key.apiKey);
  expect([status, json?.err]).toEqual([200, null]);
  expect(documentationOf(promptList).reply.parse(json.res)).toEqual(json.res);
  return json.res;
};

test('pages follow each other by name without gaps, and end', async () => {
  const key = await instance.newKey({ permissions: ['prompts'], prompts: [`${folder}/*`] });
  const found = await allPages(
    (continued) => list(key, { limit: 2, ...continued }),
    ({ prompts, cursor }) => {
      const page = prompts.map(({ name }: { name: string }) => name);
      expect([undefined, page.at(-1)]).toContain(cursor);
      return page;
    },
  );
  expect(found).toEqual(names);
});

test('a restricted key sees what it may, and a cursor outside of that is refused', async () => {
  const key = await instance.newKey({
    permissions: ['publish'],
    prompts: [`${folder}/x*`, `${folder}/Ω*`, `${folder}/Ω`, `${folder}/b`],
  });
  const visible = async (body: object) =>
    (await list(key, body)).prompts.map(({ name }: { name: string }) => name.slice(folder.length + 1));
  expect(await visible({})).toEqual(['b', 'Ω']);
  expect(await visible({ cursor: `${folder}/b` })).toEqual(['Ω']);
  expect(await visible({ cursor: `${folder}/xyz` })).toEqual(['Ω']);
  for (const cursor of [`${folder}/a`, `${folder}/c`, '~'])
    expect(await instance.post('/api/prompt/list', { cursor }, key.apiKey)).toMatchObject({ status: 400 });
});

test('with a label, only prompts that have it are listed, with what its versions take, as many as fit', async () => {
  const folder = uniqueName('labelled');
  const make = async (name: string, prompt: string) => {
    const variables = {
      a: { type: 'number', description: 'A number' },
      b: { type: 'string', default: '' },
    } as const;
    const created = await createPrompt(instance.table, changeAt(), {
      ...content(prompt),
      ...(prompt.includes('{{b}}') && { variables }),
      note: 'Note',
      name: `${folder}/${name}`,
    });
    if (name !== 'unlabelled') await setLabel(instance.table, changeAt(), created.promptId, 'live', '1.0.0');
    return created;
  };
  const names = Array.from({ length: 22 }, (_, n) => `p${10 + n}`);
  for (const name of names) await make(name, 'Plain');
  await make('unlabelled', 'Plain');
  await make('x', '{{a}} {{b}} {{__proto__}}');
  const key = await instance.newKey({ permissions: ['prompts'], prompts: [`${folder}/*`] });
  const found = await allPages(
    (continued) => list(key, { label: 'live', ...continued }),
    ({ prompts }) => prompts as { name: string; labelled: object }[],
  );
  expect(found.map(({ name }) => name.slice(folder.length + 1))).toEqual([...names, 'x']);
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

test('they come as their authors wrote them, are no use of the prompts, and leave an audit entry for each, and an event', async () => {
  const folder = uniqueName('sources');
  await createPrompt(instance.table, changeAt(), { ...content('Hello'), name: `${folder}/a` });
  const { apiKey, keyId } = await instance.newKey({ permissions: ['publish'], prompts: [`${folder}/*`] });
  const name = `${folder}/chat`;
  const chat = { type: 'chat', messages: [{ role: 'user', content: 'Hi {{user}}' }], tags: ['x'] };
  await instance.post('/api/prompt/publish', { name, content: chat, base: null, note: 'First' }, apiKey);
  const ask = (asked: readonly string[]) => instance.post('/api/prompt/source', { names: asked }, apiKey);
  const { json } = await ask([name, `${folder}/a`]);
  expect(documentationOf(promptSource).reply.parse(json.res)).toEqual(json.res);
  expect(json.res.prompts).toMatchObject([
    { name, version: '1.0.0', note: 'First', content: { ...chat, metaProperties: {} } },
    { name: `${folder}/a`, content: { prompt: 'Hello', tags: [], metaProperties: {} } },
  ]);
  const entries = (await auditOf(instance, 'change', keyId)).filter(
    ({ action }) => action === 'prompt.export',
  );
  expect(entries.map(({ subject, details }) => [subject, details.version]).sort()).toEqual(
    [name, `${folder}/a`].map((each) => [promptIdOf(each), '1.0.0']).sort(),
  );
  await instance.settled();
  expect(await usageOf(instance.table, promptIdOf(name), 1, new Date())).toEqual([]);
  expect(await lastUseOf(instance.table, keyId)).toBeDefined();
  expect((await ask([name, `${folder}/absent`])).code).toBe('prompt_not_found');
  expect((await ask(['elsewhere', `${folder}/a`])).code).toBe('forbidden');
  expect((await auditOf(instance, 'refusal', keyId)).map(({ details }) => details.asked)).toEqual([
    `elsewhere, ${folder}/a`,
  ]);
});

const aKey = (labels: readonly string[], prompts: readonly string[] = []) =>
  instance.newKey({ name: 'ci', permissions: ['publish'], labels, prompts });

const move = async (moves: readonly object[], key = aKey(['staging', 'beta']), more: object = {}) => {
  const reply = await instance.post('/api/prompt/move-labels', { moves, ...more }, (await key).apiKey);
  if (reply.status === 200)
    expect(documentationOf(promptMoveLabels).reply.parse(reply.json.res)).toEqual(reply.json.res);
  return reply;
};

const labelsOf = async (name: string) => (await readPromptHead(instance.table, promptIdOf(name)))?.labels;

const twoPrompts = async () => {
  const prompts = [await aPrompt(instance), await aPrompt(instance)] as const;
  for (const { promptId } of prompts)
    await setLabel(instance.table, changeAt(), promptId, 'staging', '1.0.0');
  return prompts;
};

const staging = (name: string, from: string | null, to: string | null) => ({
  name,
  label: 'staging',
  from,
  to,
});

test('a set moves, sets and removes labels at once, is undone as a set, and is recorded as one', async () => {
  const [one, two] = await twoPrompts();
  const moves = [
    staging(one.name, '1.0.0', '1.1.0'),
    { name: one.name, label: 'beta', from: null, to: '1.1.0' },
    staging(two.name, '1.0.0', null),
  ];
  const { json } = await move(moves);
  expect(json.res).toEqual({ moved: true, set: expect.stringMatching(/^set_/) });
  expect(await labelsOf(one.name)).toEqual([
    { label: 'beta', version: '1.1.0' },
    { label: 'staging', version: '1.1.0' },
  ]);
  expect(await labelsOf(two.name)).toEqual([]);
  const { set } = json.res;
  expect(await changesOf(instance, set)).toMatchObject([
    { action: 'label.move-set', actor: 'API key ci', details: { moves } },
  ]);
  const [entry] = await changesOf(instance, two.promptId);
  expect(entry).toMatchObject({ action: 'label.remove', details: { label: 'staging', from: '1.0.0', set } });
  await move(moves.map(({ from, to, ...of }) => ({ ...of, from: to, to: from })));
  expect(await labelsOf(one.name)).toEqual([{ label: 'staging', version: '1.0.0' }]);
  expect(await labelsOf(two.name)).toEqual([{ label: 'staging', version: '1.0.0' }]);
});

test('if one label has moved meanwhile, none is moved, unless all are where they are to go', async () => {
  const [one, two] = await twoPrompts();
  const moves = [staging(one.name, '1.0.0', '1.1.0'), staging(two.name, '1.1.0', '1.0.0')];
  const reply = await move(moves);
  expect([reply.status, reply.code]).toEqual([409, 'changed_meanwhile']);
  expect(reply.json.err).toContain(`"${two.name}" points to 1.0.0 now`);
  expect(await labelsOf(one.name)).toEqual([{ label: 'staging', version: '1.0.0' }]);
  const repeated = [staging(one.name, '1.1.0', '1.0.0'), staging(two.name, null, '1.0.0')];
  expect((await move(repeated)).json.res).toEqual({ moved: false });
});

test('concurrent sets with a label in common: one wins, the other moves nothing', async () => {
  const [one, two] = await twoPrompts();
  const replies = await Promise.all([
    move([staging(one.name, '1.0.0', '1.1.0'), staging(two.name, '1.0.0', '1.1.0')]),
    move([staging(one.name, '1.0.0', null)]),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a dry run checks everything and moves nothing', async () => {
  const [one] = await twoPrompts();
  const moves = [staging(one.name, '1.0.0', '1.1.0')];
  expect((await move(moves, undefined, { dryRun: true })).json.res).toEqual({ moved: true });
  expect(await labelsOf(one.name)).toEqual([{ label: 'staging', version: '1.0.0' }]);
  const absent = [staging(one.name, '1.0.0', '9.0.0')];
  expect((await move(absent, undefined, { dryRun: true })).code).toBe('version_not_found');
});

test('a key moves only its labels, of its prompts, and never a protected one', async () => {
  const [one] = await twoPrompts();
  const moves = [staging(one.name, '1.0.0', '1.1.0')];
  for (const key of [aKey([]), aKey(['beta']), aKey(['staging'], ['team/*'])])
    expect((await move(moves, key)).code).toBe('forbidden');
  const label = uniqueName('protected');
  await protectLabel(instance.table, changeAt(), label);
  const guarded = [{ name: one.name, label, from: null, to: '1.0.0' }];
  const key = await aKey([label]);
  expect((await move(guarded, Promise.resolve(key))).code).toBe('label_protected');
  // Whoever probes with a stolen key is seen, with what was asked for.
  expect((await auditOf(instance, 'refusal', key.keyId)).map(({ details }) => details)).toMatchObject([
    { reason: 'protected_label', asked: `${label} of ${one.name}` },
  ]);
  expect(await labelsOf(one.name)).toEqual([{ label: 'staging', version: '1.0.0' }]);
});

test('a label twice, no move, and a move that goes nowhere are refused', async () => {
  const twice = staging('x', '1.0.0', '1.1.0');
  for (const moves of [[], [twice, twice], [staging('x', '1.0.0', '1.0.0')]])
    expect((await move(moves)).code).toBe('invalid_request');
});

import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { setLabel } from '../../../lambdas/store/prompts/labels.ts';
import { createPrompt, deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { deleteVersion, publishVersion } from '../../../lambdas/store/prompts/publishing.ts';
import { LOOPBACK } from '../../support/calls.ts';
import { changeAt } from '../../support/rows/table.ts';
import { accessesTo, usageOf } from '../../support/rows/usage.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

const ROUTE = '/api/prompt/get-compiled';
withSharedInstance();

const content = { tags: ['a', 'b'], metaProperties: { model: 'small', n: 1e300 }, note: '' };
const create = (name: string, prompt: string, version?: string) =>
  createPrompt(instance.table, changeAt(), { name, prompt, version, ...content });
const publish = (name: string, version: string) =>
  publishVersion(instance.table, changeAt(), promptIdOf(name), {
    ...content,
    prompt: `text of ${version}`,
    version,
  });
const get = async (body: unknown) => {
  const reply = await instance.post(ROUTE, body);
  expect([reply.status, reply.json.err]).toEqual([200, null]);
  return reply.json.res;
};

test('the reply has the fields of the contract, and compiledPrompt only on request', async () => {
  const { promptId } = await create('fields', 'Hi {{ who }}');
  const plain = {
    promptId,
    name: 'fields',
    version: '1.0.0',
    tags: ['a', 'b'],
    metaProperties: content.metaProperties,
    prompt: 'Hi {{ who }}',
  };
  expect(await get({ name: 'fields' })).toEqual(plain);
  expect(await get({ name: 'fields', variables: { who: 'you' } })).toEqual(plain);
  expect(await get({ name: 'fields', shouldCompile: false })).toEqual(plain);
  expect(await get({ name: 'fields', shouldCompile: true, variables: { who: 'you' } })).toEqual({
    ...plain,
    compiledPrompt: 'Hi you',
  });
});

test('a prompt is found by name and by id immediately after its creation', async () => {
  const { promptId } = await create('by id', 'x');
  expect((await get({ promptId })).name).toBe('by id');
  expect((await get({ id: promptId, name: null })).name).toBe('by id');
});

test('the latest is the highest semantic version, regardless of publication order', async () => {
  await create('order', 'x', '1.9.0');
  for (const version of ['10.0.0', '1.10.0', '2.0.0', '1.2.0']) await publish('order', version);
  expect((await get({ name: 'order' })).version).toBe('10.0.0');
  expect((await get({ promptId: promptIdOf('order') })).version).toBe('10.0.0');
  expect((await get({ name: 'order', version: '1.10.0' })).prompt).toBe('text of 1.10.0');
  await deleteVersion(instance.table, changeAt(), promptIdOf('order'), '10.0.0');
  expect((await get({ name: 'order' })).version).toBe('2.0.0');
});

test('a label resolves to its version, and a move takes effect on the next call', async () => {
  await create('labelled', 'x');
  await publish('labelled', '1.1.0');
  const id = promptIdOf('labelled');
  await setLabel(instance.table, changeAt(), id, 'production', '1.0.0');
  expect((await get({ name: 'labelled', label: 'production' })).version).toBe('1.0.0');
  await setLabel(instance.table, changeAt(), id, 'production', '1.1.0');
  expect((await get({ name: 'labelled', label: 'production' })).version).toBe('1.1.0');
});

test('each fetch writes an access entry without values of variables, and is counted', async () => {
  const { promptId } = await create('watched', 'Hi {{who}}');
  const { apiKey, keyId } = await instance.newKey({ name: 'watcher' });
  const meta = { session: 's1', __proto__x: 1, deep: { n: 1e300 } };
  await instance.post(
    ROUTE,
    { name: 'watched', shouldCompile: true, variables: { who: 'SECRET-VALUE' }, metaProperties: meta },
    apiKey,
    { 'user-agent': 'app/1.0' },
  );
  const items = await accessesTo(instance.table, promptId);
  expect(items).toEqual([
    expect.objectContaining({
      version: '1.0.0',
      apiKeyId: keyId,
      apiKeyName: 'watcher',
      sourceIp: expect.stringMatching(LOOPBACK),
      userAgent: 'app/1.0',
      compiled: true,
      metaProperties: meta,
    }),
  ]);
  expect(JSON.stringify(items)).not.toContain('SECRET-VALUE');
  await instance.settled();
  expect(await usageOf(instance.table, promptId, 2, new Date())).toEqual([
    expect.objectContaining({ version: '1.0.0', apiKeyId: keyId, count: 1 }),
  ]);
});

test('an error names what does not exist', async () => {
  await create('known', 'x');
  await create('gone', 'x');
  await deletePrompt(instance.table, changeAt(), promptIdOf('gone'));
  const cases = [
    [{ name: 'unknown' }, 'prompt_not_found', '"unknown"'],
    [{ promptId: 'prm_unknown' }, 'prompt_not_found', '"prm_unknown"'],
    [{ name: 'gone' }, 'prompt_not_found', '"gone"'],
    [{ name: 'known', version: '9.9.9' }, 'version_not_found', '9.9.9'],
    [{ name: 'known', label: 'production' }, 'label_not_found', '"production"'],
  ] as const;
  for (const [body, code, named] of cases) {
    const reply = await instance.post(ROUTE, body);
    expect([reply.status, reply.code, reply.json.res]).toEqual([404, code, null]);
    expect(reply.json.err).toContain(named);
  }
});

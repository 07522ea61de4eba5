import { promptIdOf } from '../../../lambdas/core/identifiers.ts';
import { ask } from '../../support/admin.ts';
import { LOOPBACK } from '../../support/calls.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { accessesTo, usageOf } from '../../support/rows/usage.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const ROUTE = '/api/prompt/get-compiled';

/** What a map of DynamoDB could not hold. */
const METADATA = `{"__proto__": {"a": 1}, "n": 1e300, "s": "\\u0000é😀", "deep": ${'['.repeat(60)}${']'.repeat(60)}}`;
const content = { tags: ['a', 'b'], metaProperties: JSON.parse(METADATA), note: '' };
const create = (name: string, prompt: string, version?: string) =>
  newPrompt(instance.table, { name, prompt, version, ...content });
const publish = (name: string, version: string) =>
  ask('versions-publish', { promptId: promptIdOf(name), ...content, prompt: `text of ${version}`, version });
const get = async (body: unknown) => {
  const reply = await instance.post(ROUTE, body);
  expect([reply.status, reply.json.err]).toEqual([200, null]);
  return reply.json.res;
};

test('a prompt is found by name and id; the reply has the fields of the contract, any metadata as it is, and compiledPrompt only on request', async () => {
  const { promptId } = await create('fields', 'Hi {{ who }}');
  const { metaProperties, tags } = content;
  const plain = { promptId, name: 'fields', version: '1.0.0', tags, metaProperties, prompt: 'Hi {{ who }}' };
  const variables = { who: 'you' };
  for (const body of [
    { name: 'fields' },
    { promptId },
    { id: promptId, name: null },
    { name: 'fields', variables },
    { name: 'fields', shouldCompile: false },
  ])
    expect(await get(body)).toEqual(plain);
  const compiled = { ...plain, compiledPrompt: 'Hi you' };
  expect(await get({ name: 'fields', shouldCompile: true, variables })).toEqual(compiled);
  const { version } = await ask('versions-get', { promptId, version: '1.0.0' });
  for (const found of [version, await get({ promptId })])
    expect(JSON.stringify(found.metaProperties)).toBe(JSON.stringify(metaProperties));
});

test('the latest is the highest semantic version, regardless of publication order, and a label what it was moved to', async () => {
  await create('order', 'x', '1.9.0');
  for (const version of ['10.0.0', '1.10.0', '2.0.0', '1.2.0']) await publish('order', version);
  const promptId = promptIdOf('order');
  expect((await get({ name: 'order' })).version).toBe('10.0.0');
  expect((await get({ name: 'order', version: '1.10.0' })).prompt).toBe('text of 1.10.0');
  await ask('versions-delete', { promptId, version: '10.0.0', confirm: true });
  expect((await get({ name: 'order' })).version).toBe('2.0.0');
  for (const version of ['1.9.0', '1.2.0']) {
    await ask('labels-set', { promptId, label: 'production', version });
    expect((await get({ name: 'order', label: 'production' })).version).toBe(version);
  }
});

test('each fetch writes an access entry with any metadata and without values of variables, and is counted', async () => {
  const { promptId } = await create('watched', 'Hi {{who}}');
  const { apiKey, keyId: apiKeyId } = await instance.newKey({ name: 'watcher' });
  const { metaProperties } = content;
  const body = { promptId, shouldCompile: true, variables: { who: 'SECRET-VALUE' }, metaProperties };
  await instance.post(ROUTE, body, apiKey, { 'user-agent': 'app/1.0' });
  const items = await accessesTo(instance.table, promptId);
  const caller = { apiKeyName: 'watcher', sourceIp: expect.stringMatching(LOOPBACK), userAgent: 'app/1.0' };
  const use = { version: '1.0.0', apiKeyId };
  const entry = { ...use, ...caller, compiled: true, metaProperties };
  expect(items).toEqual([expect.objectContaining(entry)]);
  expect(JSON.stringify(items[0]?.metaProperties)).toBe(JSON.stringify(metaProperties));
  expect(JSON.stringify(items)).not.toContain('SECRET-VALUE');
  await instance.settled();
  expect(await usageOf(instance.table, promptId, 2, new Date())).toMatchObject([{ ...use, count: 1 }]);
});

test('an error names what does not exist', async () => {
  await create('known', 'x');
  await create('gone', 'x');
  await ask('prompts-delete', { promptId: promptIdOf('gone') });
  for (const [body, code, named] of [
    [{ name: 'unknown' }, 'prompt_not_found', '"unknown"'],
    [{ promptId: 'prm_unknown' }, 'prompt_not_found', '"prm_unknown"'],
    [{ name: 'gone' }, 'prompt_not_found', '"gone"'],
    [{ name: 'known', version: '9.9.9' }, 'version_not_found', '9.9.9'],
    [{ name: 'known', label: 'production' }, 'label_not_found', '"production"'],
  ] as const) {
    const err = expect.stringContaining(named);
    expect(await instance.post(ROUTE, body)).toMatchObject({ status: 404, code, json: { err, res: null } });
  }
});

const HISTORY = { type: 'placeholder', name: 'history', optional: true };
const CHAT = {
  type: 'chat',
  messages: [
    { role: 'system', content: 'You are {{tone}}.' },
    HISTORY,
    { role: 'user', content: '{{question}}' },
  ],
  variables: {
    tone: { type: 'string', enum: ['friendly', 'formal'], default: 'friendly' },
    question: { type: 'string' },
  },
  model: 'anthropic/claude-sonnet',
  config: { temperature: 0.2 },
  output: { schema: { type: 'object' } },
  tools: [{ name: 'lookup', inputSchema: { type: 'object' } }],
  tags: ['support'],
  metaProperties: { owner: 'web' },
};

/** Publishes this as version 3.0.0 of a new prompt. */
const publishAs = async (content: object) => {
  const { promptId, name } = await aPrompt();
  const of = { promptId, version: '3.0.0' };
  const { contentHash } = await ask('versions-publish', { ...of, ...content, changeType: true });
  return { of, name, contentHash };
};

test('no number is rounded on its way into a prompt, and one of many digits has its declared type', async () => {
  const { name } = await publishAs({
    prompt: '{{id}} {{deep}} {{float}} {{large}} {{small}}',
    variables: { id: { type: 'integer' }, float: { type: 'number' }, deep: { type: 'object' } },
  });
  const sent = (variables: string) =>
    `{"name": "${name}", "shouldCompile": true, "strict": true, "variables": {${variables}}}`;
  const numbers = '"id": 12345678901234567890, "float": 0.12345678901234567890, "large": 1e20, "small": 1.50';
  const { compiledPrompt } = await get(sent(`${numbers}, "deep": {"n": [-9007199254740993]}`));
  expect(compiledPrompt).toBe(
    '12345678901234567890 {"n":[-9007199254740993]} 0.12345678901234567890 100000000000000000000 1.5',
  );
  const { code } = await instance.post(ROUTE, sent(`${numbers}, "deep": 12345678901234567890`));
  expect(code).toBe('invalid_variables');
});

test('a chat is returned with its messages, and everything else that it has', async () => {
  const { of, name, contentHash } = await publishAs(CHAT);
  const chat = { ...CHAT, ...of, prompt: JSON.stringify(CHAT.messages) };
  expect(await get({ name })).toEqual({ ...chat, name });
  expect((await ask('versions-get', of)).version).toMatchObject({ ...chat, contentHash });
});

test('a text has the fields of the spec, and beyond them only what its version has', async () => {
  const text = {
    prompt: '{{a}}',
    config: { temperature: 1 },
    variables: { a: { type: 'array', default: [] } },
  };
  const { of, name } = await publishAs({ type: 'text', ...text, output: {}, tools: [] });
  const fields = { ...of, name, tags: [], metaProperties: {}, compiledPrompt: '[]' };
  expect(await get({ name, shouldCompile: true })).toEqual({ ...fields, ...text });
});

const team = uniqueName('team');
let apiKey: string;
beforeAll(async () => {
  for (const name of ['reply/first', 'reply/second', 'greeting', 'greetings'])
    await create(`${team}/${name}`, 'x');
  const body = {
    name: 'support',
    permissions: ['prompts'],
    // An asterisk is a wildcard at the end only, and a dot never.
    prompts: ['reply/*', 'greeting', 'gr*ings', 'greeting.'].map((pattern) => `${team}/${pattern}`),
  };
  const created = await ask('keys-create', body);
  expect(created.key.prompts).toEqual(body.prompts);
  apiKey = created.apiKey;
});

test('a key restricted to some prompts fetches only these, by name or id', async () => {
  for (const [suffix, status] of Object.entries({
    'reply/first': 200,
    'reply/second': 200,
    greeting: 200,
    greetings: 404,
  })) {
    const name = `${team}/${suffix}`;
    for (const body of [{ name }, { promptId: promptIdOf(name) }, { name, version: '1.0.0' }])
      expect((await instance.post(ROUTE, body, apiKey)).status).toBe(status);
  }
});

test('a hidden prompt and a missing prompt get the same reply', async () => {
  const reasons = () => instance.logs.join('').match(/"Reason":"prompts"/g)?.length ?? 0;
  const before = reasons();
  const name = `${team}/greetings`;
  const hidden = await instance.post(ROUTE, { name }, apiKey);
  const missing = await instance.post(ROUTE, { name: 'nothing' }, apiKey);
  expect([hidden.status, hidden.code]).toEqual([404, 'prompt_not_found']);
  expect(hidden.text.replace(name, 'nothing')).toBe(missing.text);
  // The reply does not reveal whether a version or label of a hidden prompt exists either.
  const version = await instance.post(ROUTE, { name, version: '9.9.9' }, apiKey);
  expect(version.text).toBe(hidden.text);
  expect(reasons() - before).toBe(3);
});

import { ask } from '../../support/admin.ts';
import { toReply } from '../../support/calls.ts';
import { accessesTo } from '../../support/rows/usage.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';
import { uniqueName } from '../../support/unique-name.ts';

withSharedInstance();

const basic = (apiKey: string) => `Basic ${Buffer.from(`pk-lf-any:${apiKey}`).toString('base64')}`;
const get = async (path: string, apiKey = instance.firstRun.apiKey, authorization = basic(apiKey)) =>
  toReply(await fetch(`${instance.url}/api/public/v2/prompts/${path}`, { headers: { authorization } }));

/** A prompt with the versions 1.0.0 (production) and 1.2.3. */
const aPrompt = async (content: object = { prompt: 'Hello {{user}}', tags: ['a'] }) => {
  const name = `support/ö ${uniqueName('prompt')} 100%`;
  const { promptId } = (await ask('prompts-create', { name, prompt: 'x', label: 'production' })).prompt;
  await ask('versions-publish', { promptId, ...content, version: '1.2.3', changeType: true });
  return { name, promptId, path: encodeURIComponent(name) };
};

const LATEST = { version: 1_002_003, prompt: 'Hello {{user}}', labels: ['latest'], tags: ['a'] };
test.each([
  ['', { version: 1_000_000, prompt: 'x', labels: ['production'], tags: [] }],
  ['?label=latest', LATEST],
  ['?version=1002003', LATEST],
])('"%s" finds production, or the version that is asked for', async (query, expected) => {
  const { name, path } = await aPrompt();
  const { json, status } = await get(path + query);
  expect([status, json]).toEqual([200, { name, type: 'text', config: {}, ...expected }]);
});

test('a chat has messages and placeholders in their form, and defaults do not apply', async () => {
  const system = { role: 'system', content: '{{tone}}' };
  const messages = [system, { type: 'placeholder', name: 'history', optional: true }];
  const variables = { tone: { type: 'string', default: 'friendly' } };
  const config = { temperature: 0 };
  const { path } = await aPrompt({ type: 'chat', messages, variables, config });
  const prompt = [
    { type: 'chatmessage', ...system },
    { type: 'placeholder', name: 'history' },
  ];
  expect((await get(`${path}?label=latest&resolve=true`)).json).toMatchObject({
    type: 'chat',
    config,
    prompt,
  });
});

test('a version without a whole number is found by label, with the version 0', async () => {
  const name = uniqueName('prompt');
  await ask('prompts-create', { name, prompt: 'x', version: '0.1.0', label: 'production' });
  expect(await get(name)).toMatchObject({ status: 200, json: { version: 0 } });
});

test('slashes may be sent as they are, and each fetch leaves an access entry', async () => {
  const { name, promptId } = await aPrompt();
  await ask('labels-set', { promptId, label: 'staging', version: '1.2.3' });
  const path = name.split('/').map(encodeURIComponent).join('/');
  for (const query of ['', '?label=staging', '?label=latest', '?version=1'])
    expect((await get(path + query)).status).toBe(200);
  const items = await accessesTo(instance.table, promptId);
  expect(items.map(({ asked, label, version, compiled }) => [asked, label, version, compiled])).toEqual([
    ['version', undefined, '1.0.0', false],
    ['latest', undefined, '1.2.3', false],
    ['label', 'staging', '1.2.3', false],
    ['label', 'production', '1.0.0', false],
  ]);
});

test('every new prompt can be read under its name, however its accents are written', async () => {
  const plain = uniqueName('prompt');
  const body = { name: `${plain}/re\u0301ponse`, prompt: 'x', label: 'production' };
  const { prompt } = await ask('prompts-create', body);
  expect(prompt.name).toBe(`${plain}/r\u00e9ponse`);
  for (const name of [body.name, prompt.name]) {
    const compiled = await instance.post('/api/prompt/get-compiled', { name });
    const found = [compiled.json.res?.name, (await get(encodeURIComponent(name))).json.name];
    expect(found).toEqual([prompt.name, prompt.name]);
  }
  for (const name of ['/lead', 'trail/', 'two//parts', '..', 'a/../b', './a'])
    await expect(ask('prompts-create', { ...body, name })).rejects.toThrow(/must not begin or end with/);
});

test('errors have their body, and the code in our header; a version with dots is answered with the number to write', async () => {
  const { name, path } = await aPrompt();
  const dotted = `The prompt "${name}" has no label "1.2.3". If you mean the version, ask for it as "version", with tools that speak Langfuse as 1002003.`;
  const message = expect.any(String);
  for (const [sent, status, code, said] of [
    ['?version=7', 404, 'version_not_found', message],
    ['?label=other', 404, 'label_not_found', message],
    ['?label=1.2.3', 404, 'label_not_found', dotted],
    ['-missing', 404, 'prompt_not_found', message],
    ['?version=0', 400, 'invalid_request', message],
    ['?version=1&label=a', 400, 'invalid_request', message],
    ['?version=x', 400, 'invalid_request', message],
  ] as const) {
    const error = status === 404 ? 'LangfuseNotFoundError' : 'InvalidRequestError';
    expect(await get(path + sent)).toMatchObject({ status, code, json: { message: said, error } });
  }
});

test('only an API key with the permission, as the password, is accepted', async () => {
  const { path } = await aPrompt();
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  expect(await get(path, apiKey)).toMatchObject({ status: 403, json: { error: 'ForbiddenError' } });
  const key = instance.firstRun.apiKey;
  const asUser = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const json = { error: 'UnauthorizedError' };
  for (const authorization of ['', `Bearer ${key}`, basic(`${key}x`), asUser])
    expect(await get(path, '', authorization)).toMatchObject({ status: 401, json });
  const { apiKey: narrow } = await instance.newKey({ prompts: ['other/*'] });
  expect(await get(path, narrow)).toMatchObject({ status: 404, code: 'prompt_not_found' });
});

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
  const { prompt } = await ask(instance, 'prompts-create', {
    body: { name, prompt: 'x', label: 'production' },
  });
  const { promptId } = prompt;
  const body = { ...content, version: '1.2.3', changeType: true };
  await ask(instance, 'versions-publish', { params: { promptId }, body });
  return { name, promptId, path: encodeURIComponent(name) };
};

test('without label and version, the version with the label "production" is returned', async () => {
  const { name, path } = await aPrompt();
  expect((await get(path)).json).toEqual({
    name,
    version: 1_000_000,
    type: 'text',
    prompt: 'x',
    config: {},
    labels: ['production'],
    tags: [],
  });
});

test.each(['?label=latest', '?version=1002003'])(
  '%s finds the version, which is the latest',
  async (query) => {
    const { name, path } = await aPrompt();
    const { json, status } = await get(path + query);
    expect(status).toBe(200);
    expect(json).toEqual({
      name,
      version: 1_002_003,
      type: 'text',
      prompt: 'Hello {{user}}',
      config: {},
      labels: ['latest'],
      tags: ['a'],
    });
  },
);

test('a version with dots, which is taken for a label, is answered with the number to write', async () => {
  const { name, path } = await aPrompt();
  expect(await get(`${path}?label=1.2.3`)).toMatchObject({
    status: 404,
    json: {
      message: `The prompt "${name}" has no label "1.2.3". If you mean the version, ask for it as "version", with tools that speak Langfuse as 1002003.`,
    },
  });
});

test('a chat has messages and placeholders in their form, and defaults do not apply', async () => {
  const messages = [
    { role: 'system', content: '{{tone}}' },
    { type: 'placeholder', name: 'history', optional: true },
  ];
  const variables = { tone: { type: 'string', default: 'friendly' } };
  const { path } = await aPrompt({ type: 'chat', messages, variables, config: { temperature: 0 } });
  expect((await get(`${path}?label=latest&resolve=true`)).json).toMatchObject({
    type: 'chat',
    config: { temperature: 0 },
    prompt: [
      { type: 'chatmessage', role: 'system', content: '{{tone}}' },
      { type: 'placeholder', name: 'history' },
    ],
  });
});

test('a version without a whole number is found by label, with the version 0', async () => {
  const name = uniqueName('prompt');
  const body = { name, prompt: 'x', version: '0.1.0', label: 'production' };
  await ask(instance, 'prompts-create', { body });
  expect(await get(name)).toMatchObject({ status: 200, json: { version: 0 } });
});

test('slashes may be sent as they are, and each fetch leaves an access entry', async () => {
  const { name, promptId } = await aPrompt();
  await ask(instance, 'labels-set', { params: { promptId, label: 'staging' }, body: { version: '1.2.3' } });
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
  const { prompt } = await ask(instance, 'prompts-create', { body });
  expect(prompt.name).toBe(`${plain}/r\u00e9ponse`);
  for (const name of [body.name, prompt.name]) {
    const compiled = await instance.post('/api/prompt/get-compiled', { name });
    expect([compiled.json.res?.name, (await get(encodeURIComponent(name))).json.name]).toEqual([
      prompt.name,
      prompt.name,
    ]);
  }
  for (const name of ['/lead', 'trail/', 'two//parts', '..', 'a/../b', './a'])
    await expect(ask(instance, 'prompts-create', { body: { ...body, name } })).rejects.toThrow(
      /must not begin or end with/,
    );
});

test('errors have their body, and the code in our header', async () => {
  const { path } = await aPrompt();
  const cases = [
    [`${path}?version=7`, 404, 'LangfuseNotFoundError', 'version_not_found'],
    [`${path}?version=0`, 400, 'InvalidRequestError', 'invalid_request'],
    [`${path}?label=other`, 404, 'LangfuseNotFoundError', 'label_not_found'],
    [`${path}-missing`, 404, 'LangfuseNotFoundError', 'prompt_not_found'],
    [`${path}?version=1&label=a`, 400, 'InvalidRequestError', 'invalid_request'],
    [`${path}?version=x`, 400, 'InvalidRequestError', 'invalid_request'],
  ] as const;
  for (const [sent, status, error, code] of cases)
    expect(await get(sent)).toMatchObject({ status, code, json: { message: expect.any(String), error } });
});

test('only an API key with the permission, as the password, is accepted', async () => {
  const { path } = await aPrompt();
  const { apiKey } = await instance.newKey({ permissions: ['secrets'] });
  expect(await get(path, apiKey)).toMatchObject({ status: 403, json: { error: 'ForbiddenError' } });
  const key = instance.firstRun.apiKey;
  const wrong = ['', `Bearer ${key}`, basic(`${key}x`), `Basic ${Buffer.from(`${key}:`).toString('base64')}`];
  for (const authorization of wrong)
    expect(await get(path, '', authorization)).toMatchObject({
      status: 401,
      json: { error: 'UnauthorizedError' },
    });
  const { apiKey: narrow } = await instance.newKey({ prompts: ['other/*'] });
  expect(await get(path, narrow)).toMatchObject({ status: 404, code: 'prompt_not_found' });
});

import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ask } from '../../../support/admin.ts';
import { usageOf } from '../../../support/rows/usage.ts';
import { instance, withSharedInstance } from '../../../support/shared/instance.ts';
import { uniqueName } from '../../../support/unique-name.ts';
import { CLI, finish, startCli } from './processes.ts';

// The protocol's own client is the host, and the command its child process.

withSharedInstance();

const folder = uniqueName('mcp');
const create = (name: string, body: object) => ask('prompts-create', { name: `${folder}/${name}`, ...body });

const hosts: Client[] = [];
afterAll(() => Promise.all(hosts.map((host) => host.close())));

const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
const ENV = { PATH, NODE_COMPILE_CACHE, NODE_NO_WARNINGS: '1' };

/** A host of the command with an API key. */
const hostWith = async (apiKey: string): Promise<Client> => {
  const host = new Client({ name: 'host', version: '1.0.0' });
  hosts.push(host);
  await host.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve(CLI), 'mcp', '--label', 'live'],
      env: { ...ENV, CUEVAULT_URL: instance.url, CUEVAULT_API_KEY: apiKey },
    }),
  );
  return host;
};

let client: Client;
let ids: string[];

beforeAll(async () => {
  const count = { type: 'integer', description: 'How many sentences' };
  const tone = { type: 'string', default: 'kind' };
  const created = [
    await create('summary', {
      prompt: 'In {{count}} sentences, {{tone}}: {{text}}',
      label: 'live',
      note: 'Of any text',
      variables: { count, tone },
    }),
    await create('support', {
      type: 'chat',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'You help {{name}}.' },
        { type: 'placeholder', name: 'history' },
        { role: 'assistant', content: 'Hello {{name}}' },
        { role: 'developer', content: 'Be brief.' },
      ],
      label: 'live',
      model: 'any',
      config: { temperature: 1 },
      output: { schema: {} },
      tools: [{ name: 'search' }, { name: 'order' }],
    }),
    await create('draft', { prompt: 'Not labelled' }),
  ];
  ids = created.map(({ prompt }) => prompt.promptId);
  // More than a page has.
  for (let n = 0; n < 21; n++) await create(`many-${n}`, { prompt: `Text ${n}`, label: 'live' });
  const { apiKey } = await instance.newKey({ permissions: ['prompts'], prompts: [`${folder}/*`] });
  client = await hostWith(apiKey);
});

const get = (name: string, given: Record<string, string> = {}) =>
  client.getPrompt({ name: `${folder}/${name}`, arguments: given });

test('a host lists the prompts of the label with their arguments, which is no use of them', async () => {
  const { prompts } = await client.listPrompts();
  expect(prompts).toHaveLength(23);
  expect(prompts.find(({ name }) => name.endsWith('/draft'))).toBeUndefined();
  expect(prompts.find(({ name }) => name.endsWith('/summary'))).toEqual({
    name: `${folder}/summary`,
    description: 'Version 1.0.0. Of any text',
    arguments: [
      { name: 'count', description: 'How many sentences (integer)', required: true },
      { name: 'tone', description: '(string)', required: false },
      { name: 'text', description: '', required: true },
    ],
  });
  await instance.settled();
  for (const id of ids) expect(await usageOf(instance.table, id, 2, new Date())).toEqual([]);
});

test('a text becomes a message of the user; arguments are what the variables are declared as', async () => {
  expect(await get('summary', { count: '3', text: '{{count}}' })).toEqual({
    description: 'Version 1.0.0.',
    messages: [{ role: 'user', content: { type: 'text', text: 'In 3 sentences, kind: {{count}}' } }],
  });
  for (const [given, refusal] of [
    [{ count: 'three', text: '' }, '"count" must be the JSON of its type, integer'],
    [{ count: '1.5', text: '' }, '"count" must be integer'],
    [{ count: '3' }, '"text"'],
  ] as const)
    await expect(get('summary', given)).rejects.toThrow(refusal);
});

test('the system message comes first, as the user; what the protocol does not have is left out with a count', async () => {
  expect(await get('support', { name: 'Ada' })).toEqual({
    description:
      'Version 1.0.0. Its system message is the first message of the user. Left out: lists of messages: 1, tools: 2, fields of the configuration: 2, schemas of the output: 1.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'You help Ada.' } },
      { role: 'user', content: { type: 'text', text: 'Be brief.' } },
      { role: 'user', content: { type: 'text', text: 'Hi' } },
      { role: 'assistant', content: { type: 'text', text: 'Hello Ada' } },
    ],
  });
});

test('prompts outside the label or the API key are not served, and the server offers nothing else', async () => {
  for (const name of ['draft', 'none']) await expect(get(name)).rejects.toThrow(folder);
  await expect(client.getPrompt({ name: 'other' })).rejects.toThrow('other');
  expect(client.getServerCapabilities()).toEqual({ prompts: {} });
});

test('without a label it says so, and a host that has closed standard input ends it', async () => {
  const env = { ...ENV, CUEVAULT_URL: instance.url, CUEVAULT_API_KEY: 'x' };
  const run = (args: string[]) => finish(startCli(['mcp', ...args], { env }));
  expect(await run([])).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Add --label') });
  expect(await run(['--label', 'live'])).toMatchObject({ code: 0, out: '', err: '' });
});

test('a host with an API key that is refused learns it from each answer', async () => {
  const host = await hostWith('x');
  const refusal = 'A valid API key is required';
  await expect(host.listPrompts()).rejects.toThrow(refusal);
  await expect(host.getPrompt({ name: 'any' })).rejects.toThrow(refusal);
});

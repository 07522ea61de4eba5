import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newProject } from '../../support/project.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';
import { finish, linesOf, runProgram, type Started, start } from './cli/processes.ts';
import { API_KEY, startFakeService } from './fake-service.ts';

// The SDKs are 120 MB in total: these replace them, and return what they were given.
const STAND_INS = {
  openai: `export default class {
    constructor(options) {
      const create = async (body) => ({ choices: [{ message: { content: JSON.stringify([options, body]) } }] });
      this.chat = { completions: { create } };
    }
  }`,
  '@anthropic-ai/sdk': `export default class {
    constructor(options) {
      const create = async (body) => ({ content: [{ type: 'text', text: JSON.stringify([options, body]) }] });
      this.messages = { create };
    }
  }`,
  ai: 'export const generateText = async (options) => ({ text: JSON.stringify(options) });',
  '@langchain/core': `export const ChatPromptTemplate = {
    fromMessages: (messages, options) => ({
      pipe: () => ({ invoke: async (values) => ({ text: JSON.stringify([messages, options, values]) }) }),
    }),
  };`,
};

let folder: string;

/** A project with the examples and their imports. */
const makeProject = (): string => {
  const project = newProject(STAND_INS);
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of ['express', '@types/express', '@types/node'])
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  cpSync('examples/typescript', project, { recursive: true });
  return project;
};

const environment = () => {
  const { url, apiKey } = instance.firstRun;
  return { ...process.env, CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
};

withOwnInstance({ sample: true });
beforeAll(() => {
  folder = makeProject();
});

const startExpress = async (): Promise<{ readonly child: Started; readonly url: string }> => {
  const args = ['--disable-warning=ExperimentalWarning', 'express-server.ts'];
  const child = start(process.execPath, args, { cwd: folder, env: { ...environment(), PORT: '0' } });
  return { child, url: (await linesOf(child)()).replace('Listening at ', '') };
};

test('the Express handlers return prompts, and 404 for an unknown one', async () => {
  const { child, url } = await startExpress();
  const greeting = await fetch(`${url}/greeting/Ada`);
  expect([greeting.status, greeting.headers.get('x-prompt-version')]).toEqual([200, '1.0.0']);
  expect(await greeting.text()).toBe('Hello Ada!');
  const known = await fetch(`${url}/prompts/support-reply`);
  expect(await known.json()).toEqual({
    name: 'support-reply',
    version: '1.0.0',
    tags: ['sample', 'support'],
  });
  const unknown = await fetch(`${url}/prompts/nobody`);
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    expect.objectContaining({ code: 'prompt_not_found' }),
  ]);
  child.kill();
  await once(child, 'exit');
});

test('the script starts a program with its secrets', async () => {
  const child = start('./run-worker.sh', [], { cwd: folder, env: environment() });
  expect(await finish(child)).toEqual({
    code: 0,
    signal: null,
    out: 'Working with the database app at localhost:5432.\n',
    err: '',
  });
});

const HISTORY = [{ role: 'assistant', content: 'Hello {{question}}' }];

/** What a program prints, from JSON, with the service at this address. */
const printed = async (program: string, CUEVAULT_URL: string): Promise<unknown> => {
  const env = { ...process.env, CUEVAULT_URL, CUEVAULT_API_KEY: API_KEY };
  const { err, out } = await runProgram(program, { cwd: folder, env });
  expect(err).toBe('');
  return JSON.parse(out);
};

const ask = (example: string, values: unknown[], url: string): Promise<unknown> =>
  printed(
    `const { reply } = await import('./frameworks/${example}'); console.log(await reply(...${JSON.stringify(values)}));`,
    url,
  );

test('the framework examples pass the prompt, and the API key from the vault', async () => {
  const fake = await startFakeService({ OPENAI_API_KEY: 'sk-openai', ANTHROPIC_API_KEY: 'sk-anthropic' });
  const [openai, anthropic, vercel, langchain] = await Promise.all([
    ask('openai.ts', [HISTORY, 'How?'], fake.url),
    ask('anthropic.ts', [HISTORY, 'How?'], fake.url),
    ask('vercel-ai.ts', [{}, HISTORY, 'How?'], fake.url),
    ask('langchain.ts', [{}, 'Ada', 'How?'], fake.url),
  ]);
  await fake.stop();
  const messages = [...HISTORY, { role: 'user', content: 'How?' }];
  expect(openai).toMatchObject([
    { apiKey: 'sk-openai' },
    {
      messages: [{ role: 'system', content: 'You are kind.' }, ...messages],
      metadata: { prompt: 'assistant', version: '1.0.0' },
    },
  ]);
  expect(anthropic).toMatchObject([
    { apiKey: 'sk-anthropic' },
    { system: [{ type: 'text', text: 'You are kind.' }], messages },
  ]);
  expect(vercel).toMatchObject({ instructions: [{ role: 'system', content: 'You are kind.' }], messages });
  expect(langchain).toMatchObject([
    [
      ['system', 'Hello {{user}}!'],
      ['human', '{{question}}'],
    ],
    { templateFormat: 'mustache' },
    { user: 'Ada', question: 'How?' },
  ]);
});

test('the examples satisfy the types of the package', () => {
  const options = '--strict --noEmit --skipLibCheck --module nodenext --target es2022 --types node'.split(
    ' ',
  );
  const args = [resolve('node_modules/typescript/bin/tsc'), ...options, 'express-server.ts'];
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe('');
});

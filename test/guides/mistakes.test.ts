// The most probable mistakes of the first hour: what is printed, and the words of it with which the next attempt works.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { newFolder } from '../support/new-folder.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

withOwnInstance({ sample: true });

interface Run {
  readonly args: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program of this repository. Returns its exit code and what it says about a failure. */
const run = (program: string, { args, env = {} }: Run, cwd = process.cwd()) => {
  const ours = {
    CUEVAULT_URL: instance.url,
    CUEVAULT_API_KEY: instance.firstRun.apiKey,
    NODE_NO_WARNINGS: '1',
  };
  const words = args === '' ? [] : args.split(' ');
  const options = { cwd, env: { ...process.env, ...ours, ...env }, encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, [path.resolve(program), ...words], options);
  return {
    code: status,
    said: stderr
      .trim()
      .replaceAll(instance.url, 'URL')
      .replace(/^cuevault: /, ''),
  };
};
const cuevault = (attempt: Run) => run('clients/typescript/src/cli.ts', attempt);

const GREETING = 'prompt get greeting --label production --var user=Ada --strict';
const OTHER_KEY = `cue_AbCd1234_${'x'.repeat(38)}`;

/** The mistake, what is printed, and what of it the reader uses. Others are among the commands of test/conformance. */
test.each<[string, Run, string, string]>([
  [
    'an API key of another installation',
    { args: GREETING, env: { CUEVAULT_API_KEY: OTHER_KEY } },
    'The API key or token was rejected: it is unknown, expired or revoked. The key with the id AbCd1234 was sent to URL.',
    'The key with the id AbCd1234 was sent to URL',
  ],
  [
    'a misspelled prompt',
    { args: GREETING.replace('greeting', 'greetings') },
    'There is no prompt named "greetings". Check it, or create the prompt first.',
    'Check it',
  ],
  [
    'a label that the prompt has not',
    { args: GREETING.replace('production', 'prod') },
    'The prompt "greeting" has no label "prod". Check its spelling, or set the label first.',
    'Check its spelling',
  ],
])('%s is mended by what is printed', (_, wrong, printed, words) => {
  const { code, said } = cuevault(wrong);
  expect(said).toBe(printed);
  expect(code).not.toBe(0);
  expect(printed).toContain(words);
  expect(cuevault({ args: GREETING })).toEqual({ code: 0, said: '' });
});

/** Makes what listens on a port of this machine that of localhost:3000, where this machine may run another Cuevault. */
const asDefault = (port: string) => {
  const moved = `String(url).replace('localhost:3000', '127.0.0.1:${port}')`;
  const code = `const send = fetch; globalThis.fetch = (url, init) => send(${moved}, init);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`, CUEVAULT_URL: '' };
};

const listening = async () => {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: String((server.address() as AddressInfo).port) };
};

test('a Cuevault that is not running is mended by what is printed', async () => {
  const { server, port } = await listening();
  await once(server.close(), 'close');
  const { said } = cuevault({ args: GREETING, env: asDefault(port) });
  expect(said).toMatch(
    /^Cuevault at http:\/\/localhost:3000 cannot be reached, .*\. CUEVAULT_URL is not set; npm start starts one there\.$/,
  );
  const started = asDefault(new URL(instance.url).port);
  expect(cuevault({ args: GREETING, env: started })).toEqual({ code: 0, said: '' });
});

/** Prepares a copy of the project without dependencies, with an npm of Node.js 24 that installs none. */
const inCopy = () => {
  const folder = newFolder();
  for (const file of ['package.json', 'package-lock.json']) cpSync(file, path.join(folder, file));
  mkdirSync(path.join(folder, 'node_modules'));
  const npm = {
    npm_execpath: path.resolve('jest.config.mjs'),
    npm_config_user_agent: 'npm/11.0.0 node/v24.0.0',
  };
  return (args: string, env: Run['env']) =>
    run('scripts/prepare.mjs', { args, env: { ...npm, ...env } }, folder);
};
const PREPARED = { code: 0, said: expect.stringMatching(/^Installing .*\nInstalled 0 packages in \d+ s\.$/) };

test('a port that is taken is mended by what is printed', async () => {
  const prepare = inCopy();
  const { server, port: PORT } = await listening();
  expect(prepare('--start', { PORT })).toEqual({
    code: 1,
    said: `Port ${PORT} is taken. Stop what listens there, or choose another: PORT=3001 npm start.`,
  });
  await once(server.close(), 'close');
  expect(prepare('--start', { PORT })).toEqual(PREPARED);
});

test('a Node.js that is too old, where npm has none for the platform, is mended by what is printed', () => {
  const prepare = inCopy();
  expect(prepare('', { npm_config_user_agent: 'npm/10.0.0 node/v20.1.0' })).toEqual({
    code: 1,
    said: [
      'Installing all dependencies (once; about a minute)...',
      'This platform requires Node 24 or later, but this is 20.1.0. Install it from https://nodejs.org, or with nvm: nvm install 24',
    ].join('\n'),
  });
  expect(prepare('', {})).toEqual(PREPARED);
});

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newFolder } from '../../../support/new-folder.ts';
import { type FakeService, startFakeService } from '../fake-service.ts';
import { CLI, environmentFor, finish, linesOf } from './processes.ts';

const SECRETS = { SECRET_ONE: 'it is $5\n"quoted"', 'dotted.name': 'v', __proto__x: 'p' };

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ ...SECRETS });
  folder = newFolder();
});

afterEach(() => service.stop());

const start = (options: readonly string[], args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [...options, CLI, 'run', ...args], {
    env: { ...environmentFor(service), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const PRINT = 'console.log(JSON.stringify([process.env, process.argv.slice(1)]))';

describe('the command', () => {
  test('gets the secrets in addition to its environment, and its arguments unchanged', async () => {
    const args = ['--prefix', 'P_', '--', process.execPath, '--eval', PRINT, '--', '--key', 'a b', ''];
    const child = start([], args, { KEPT: 'yes' });
    const { code, out, err } = await finish(child);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [env, argv] = JSON.parse(out);
    expect(env).toMatchObject({ KEPT: 'yes', P_SECRET_ONE: SECRETS.SECRET_ONE, 'P_dotted.name': 'v' });
    expect(argv).toEqual(['--key', 'a b', '']);
  });

  test('reports an environment that is too large', async () => {
    service.secrets = Object.fromEntries([...Array(100).keys()].map((i) => [`BIG_${i}`, 'x'.repeat(65_536)]));
    const { code, err } = await finish(start([], ['--', 'true']));
    expect({ code, err }).toEqual({ code: 126, err: expect.stringMatching(/^cuevault: .*E2BIG.*\n$/) });
  });
});

// As in a container with a user id without an account.
const HOMELESS = `data:text/javascript,${encodeURIComponent(`
  import os from 'node:os';
  import { syncBuiltinESMExports } from 'node:module';
  os.homedir = () => { throw Object.assign(new Error('no such user'), { name: 'SystemError' }); };
  syncBuiltinESMExports();
`)}`;

test('only the offline copy needs a home folder, and reports a missing one', async () => {
  const homeless = ['--import', HOMELESS];
  const command = ['--', 'sh', '-c', 'echo started'];
  const env = { XDG_CACHE_HOME: '' };
  expect(await finish(start(homeless, command, env))).toMatchObject({ code: 0, out: 'started\n', err: '' });
  const placed = ['--offline-ok', '--offline-dir', join(folder, 'copies'), ...command];
  expect(await finish(start(homeless, placed, env))).toMatchObject({ code: 0, out: 'started\n', err: '' });
  expect(await finish(start(homeless, ['--offline-ok', ...command], env))).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^cuevault: .*--offline-dir.*\n$/),
  });
});

test('--watch exits with the command, even during a check', async () => {
  let calls = 0;
  const silent = createServer((_, response) => {
    calls++;
    if (calls === 1) response.end(JSON.stringify({ err: null, res: {} }));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const command = ['sh', '-c', 'exec 2>&-; trap "exit 7" TERM; while :; do sleep 0.05; done'];
  const args = ['--allow-empty', '--watch', '--watch-interval', '0.1', '--', ...command];
  const child = start([], args, { CUEVAULT_URL: url });
  while (calls < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  child.kill('SIGTERM');
  expect(await finish(child)).toEqual({ code: 7, signal: null, out: '', err: '' });
  silent.closeAllConnections();
  silent.close();
});

test('the command is stopped when npx ends without passing a signal on', async () => {
  const command = ['sh', '-c', 'trap "echo ended; exit 7" TERM; echo ready; while :; do sleep 0.05; done'];
  // As npx does: a shell in between that a signal ends.
  const npx = ['-c', '"$@" & wait', 'sh', process.execPath, CLI, 'run', '--', ...command];
  const env = { ...environmentFor(service), npm_command: 'exec' };
  const child = spawn('sh', npx, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [lines, said] = [linesOf(child), text(child.stderr)];
  expect(await lines()).toBe('ready');
  child.kill('SIGTERM');
  expect(await lines()).toBe('ended');
  expect(await said).toMatch(/^cuevault: npx has ended .+\n/);
});

test('a signal right after the start reaches the command', async () => {
  const command = ['sh', '-c', 'trap "exit 7" TERM; kill -TERM $PPID; while :; do sleep 0.05; done'];
  const all = Array.from({ length: 12 }, () => finish(start([], ['--redact', '--', ...command])));
  for (const ended of await Promise.all(all)) expect(ended).toMatchObject({ code: 7 });
});

test('--redact ends with the command, whatever still holds its output', async () => {
  const command = ['sh', '-c', 'sleep 60 & echo $! "$SECRET_ONE"; exit 7'];
  const { code, out } = await finish(start([], ['--redact', '--', ...command]));
  process.kill(Number(out.split(' ')[0]));
  expect({ code, out }).toEqual({ code: 7, out: expect.stringMatching(/^\d+ \[secret\]\n$/) });
});

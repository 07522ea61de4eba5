import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type FakeService, startFakeService } from '../fake-service.ts';
import { CLI, environmentFor, finish, linesOf } from './processes.ts';

const SECRETS = { SECRET_ONE: 'it is $5\n"quoted"', 'dotted.name': 'v', __proto__x: 'p' };

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ ...SECRETS });
  folder = mkdtempSync(join(tmpdir(), 'cuevault-run-'));
});

afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const start = (options: readonly string[], args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [...options, CLI, 'run', ...args], {
    env: { ...environmentFor(service), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const firstLine = async (child: ReturnType<typeof start>): Promise<string> => {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return line;
};

const TRUE = readFileSync('/bin/true');

const withoutLoader = (): Buffer => {
  const bytes = Buffer.from(TRUE);
  bytes.write('/no/', bytes.indexOf('/lib'));
  return bytes;
};

const program = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o755);
  return path;
};

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

  test('determines the exit code', async () => {
    expect(await finish(start([], ['--', 'sh', '-c', 'exit 42']))).toMatchObject({ code: 42, err: '' });
  });

  test('receives signals, and its death by a signal is propagated', async () => {
    const child = start(
      [],
      ['--', 'sh', '-c', 'trap "exit 7" TERM; echo ready; while :; do sleep 0.05; done'],
    );
    await firstLine(child);
    child.kill('SIGTERM');
    expect(await finish(child)).toMatchObject({ code: 7 });
    expect(await finish(start([], ['--', 'sh', '-c', 'kill -KILL $$']))).toMatchObject({
      signal: 'SIGKILL',
    });
  });

  test('can be a script without an interpreter line', async () => {
    const path = program('plain', 'echo "from $SECRET_ONE" | head -1');
    expect(await finish(start([], ['--', path]))).toMatchObject({ code: 0, out: 'from it is $5\n' });
  });

  test('exits with 127 if not found and 126 if not executable, with a message', async () => {
    const missing = await finish(start([], ['--', 'no-such-command-here']));
    expect(missing).toMatchObject({
      code: 127,
      out: '',
      err: expect.stringContaining('no-such-command-here'),
    });
    writeFileSync(join(folder, 'not-executable'), '');
    const refused = await finish(start([], ['--', join(folder, 'not-executable')]));
    expect(refused).toMatchObject({ code: 126, err: expect.stringContaining('cannot be run') });
  });

  test('must have a name', async () => {
    const err = 'cuevault: There is no command "".\n';
    expect(await finish(start([], ['--', '']))).toEqual({ code: 127, signal: null, out: '', err });
  });

  test.each([
    ['a script with the line ends of Windows', () => program('crlf', '#!/bin/sh\r\necho started\r\n')],
    ['a script whose interpreter is missing', () => program('lost', '#!/no/such/interpreter\n')],
    ['a script that is its own interpreter', () => program('loop', `#!${join(folder, 'loop')}\n`)],
    ['a program whose loader is missing', () => program('unloadable', withoutLoader())],
    ['a script for such a program', () => program('for-it', `#!${program('it', withoutLoader())}\n`)],
  ])('that is %s cannot be run: 126 and one line', async (_, make) => {
    const { code, out, err } = await finish(start([], ['--', make()]));
    expect({ code, out, err }).toEqual({ code: 126, out: '', err: expect.stringMatching(/^.+\n$/) });
  });

  test('is not started with --strict when a secret would not be set', async () => {
    service.secrets = { GOOD: 'v', PATH: folder };
    const args = ['--strict', '--', 'touch', join(folder, 'started')];
    expect(await finish(start([], args))).toEqual({
      code: 6,
      signal: null,
      out: '',
      err: expect.stringMatching(/^cuevault: Not set: "PATH" .+\n$/),
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps the address and the API key of its own client, whatever a secret says', async () => {
    service.secrets = { CUEVAULT_URL: 'http://attacker.example', cuevault_api_key: 'x', GOOD: 'v' };
    const args = ['--override', '--allow', 'CUEVAULT_URL', '--', 'sh', '-c', 'echo "$GOOD $CUEVAULT_URL"'];
    expect(await finish(start([], args))).toMatchObject({
      code: 0,
      out: `v ${service.url}\n`,
      err: expect.stringMatching(/^cuevault: Not set: "CUEVAULT_URL" .+, "cuevault_api_key" .+\n$/),
    });
  });

  test('reports an environment that is too large', async () => {
    service.secrets = Object.fromEntries([...Array(100).keys()].map((i) => [`BIG_${i}`, 'x'.repeat(65_536)]));
    const { code, err } = await finish(start([], ['--', 'true']));
    expect({ code, err }).toEqual({ code: 126, err: expect.stringMatching(/^cuevault: .*E2BIG.*\n$/) });
  });
});

test('--redact masks the secrets in both outputs of the command, and keeps everything else', async () => {
  service.secrets = { TOKEN: 'swordfish' };
  const script = 'printf "in sword"; sleep 0.05; printf "fish\\n"; echo "err $TOKEN" >&2; exit 7';
  expect(await finish(start([], ['--redact', '--', 'sh', '-c', script]))).toEqual({
    code: 7,
    signal: null,
    out: 'in [secret]\n',
    err: 'err [secret]\n',
  });
});

test('signals that Node ignores are not ignored in the command', async () => {
  const { out } = await finish(start([], ['--', 'grep', 'SigIgn', '/proc/self/status']));
  const own = await finish(
    spawn('grep', ['SigIgn', '/proc/self/status'], { stdio: ['ignore', 'pipe', 'pipe'] }),
  );
  expect(out).toBe(own.out);
});

test('without permission or network the command is not started: one line on standard error, and exit code 3 or 5', async () => {
  const args = ['--', 'sh', '-c', 'echo started'];
  const refused = await finish(start([], args, { CUEVAULT_API_KEY: 'cue_wrong' }));
  expect(refused).toEqual({
    code: 3,
    signal: null,
    out: '',
    err: 'cuevault: The API key was rejected: it is unknown, expired or revoked.\n',
  });
  await service.stop();
  const down = await finish(start([], args));
  expect(down).toEqual({ code: 5, signal: null, out: '', err: expect.stringMatching(/^cuevault: .+\n$/) });
});

test('--offline-ok starts the command with the copy if there is no network', async () => {
  const args = [
    '--offline-ok',
    '--offline-dir',
    join(folder, 'copies'),
    '--',
    'sh',
    '-c',
    'echo "$SECRET_ONE"',
  ];
  const { out } = await finish(start([], args));
  await service.stop();
  const offline = await finish(start([], args));
  expect(offline).toMatchObject({ code: 0, out, err: expect.stringContaining('offline copy') });
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

test('--watch restarts the command when a value changes, and exits on a signal', async () => {
  const command = ['sh', '-c', 'echo "$SECRET_ONE"; while :; do sleep 0.05; done'];
  service.secrets = { SECRET_ONE: 'first' };
  const child = start([], ['--watch', '--watch-interval', '0.1', '--', ...command]);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('first');
  service.secrets = { SECRET_ONE: 'second' };
  expect((await lines.next()).value).toBe('second');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
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
  const all = Array.from({ length: 12 }, () => finish(start([], ['--', ...command])));
  for (const ended of await Promise.all(all)) expect(ended).toMatchObject({ code: 7 });
});

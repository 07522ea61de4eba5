import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder } from '../../../support/new-folder.ts';
import { type FakeService, startFakeService } from '../fake-service.ts';
import { CLI, environmentFor, finish, inShell, linesOf, start, startCli } from './processes.ts';

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ SECRET_ONE: 'it is $5\n"quoted"' });
  folder = newFolder();
});

afterEach(() => service.stop());

/** Runs a command to its end. */
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  finish(startCli(['run', ...args], { env: { ...environmentFor(service), ...env } }));

test('run reports an environment that is too large', async () => {
  service.secrets = Object.fromEntries([...Array(100).keys()].map((i) => [`BIG_${i}`, 'x'.repeat(65_536)]));
  const { code, err } = await run(['--', 'true']);
  expect({ code, err }).toEqual({
    code: 126,
    err: 'cuevault: The secrets are too large for the variables of a command (E2BIG). Leave some out with --only or --tags, or let the command read them from a file.\n',
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
  const started = (...options: string[]) =>
    run([...options, '--', 'sh', '-c', 'echo started'], {
      XDG_CACHE_HOME: '',
      NODE_OPTIONS: `--import=${HOMELESS}`,
    });
  for (const options of [[], ['--offline-ok', '--offline-dir', join(folder, 'copies')]])
    expect(await started(...options)).toMatchObject({ code: 0, out: 'started\n', err: '' });
  expect(await started('--offline-ok')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^cuevault: .*--offline-dir.*\n$/),
  });
});

test('the command is stopped when npx ends without passing a signal on', async () => {
  const command = ['sh', '-c', 'trap "echo ended; exit 7" TERM; echo ready; while :; do sleep 0.05; done'];
  // As npx does: a shell in between that a signal ends.
  const npx = ['-c', '"$@" & wait', 'sh', process.execPath, CLI, 'run', '--', ...command];
  const env = { ...environmentFor(service), npm_command: 'exec' };
  const child = start('sh', npx, { env });
  const lines = linesOf(child);
  const said = text(child.stderr);
  expect(await lines()).toBe('ready');
  child.kill('SIGTERM');
  expect(await lines()).toBe('ended');
  expect(await said).toMatch(/^cuevault: npx has ended .+\n/);
});

test('a signal right after the start reaches the command', async () => {
  const command = ['sh', '-c', 'trap "exit 7" TERM; kill -TERM $PPID; while :; do sleep 0.05; done'];
  const all = Array.from({ length: 12 }, () => run(['--redact', '--', ...command]));
  for (const ended of await Promise.all(all)) expect(ended).toMatchObject({ code: 7 });
});

test('--redact ends with the command, whatever still holds its output', async () => {
  const command = ['sh', '-c', 'sleep 60 & echo $! "$SECRET_ONE"; exit 7'];
  const { code, out } = await run(['--redact', '--', ...command]);
  process.kill(Number(out.split(' ')[0]));
  expect({ code, out }).toEqual({ code: 7, out: expect.stringMatching(/^\d+ \[secret\]\n$/) });
});

/** More than the buffer of any pipe. */
const BIG = 3_000_000;
// Long after the writer has filled the pipe.
const SLOW_READER = '(sleep 1; wc -c)';

test('a command can write to a slow reader as it could without cuevault', async () => {
  const file = join(folder, 'big');
  writeFileSync(file, Buffer.alloc(BIG));
  const { out, err } = await finish(inShell(service, `"$@" run -- cat "${file}" | ${SLOW_READER}`));
  expect({ out: Number(out), err }).toEqual({ out: BIG, err: '' });
});

test('a command can wait for input, even after a signal', async () => {
  const script =
    'trap "got=1" USR1; echo ready; until [ "$got" ]; do sleep 0.05; done; echo reading; exec cat';
  const env = environmentFor(service);
  const child = startCli(['run', '--', 'sh', '-c', script], { env }, 'pipe');
  const next = linesOf(child);
  expect(await next()).toBe('ready');
  child.kill('SIGUSR1');
  expect(await next()).toBe('reading');
  await sleep(300);
  child.stdin?.end('late\n');
  expect(await next()).toBe('late');
});

test('a slow reader gets all of a long output, even through a non-blocking pipe', async () => {
  service.secrets = { TOKEN: 'x'.repeat(BIG) };
  // Killed, so that it cannot restore the pipe.
  const unblock = 'node -e "process.stdout.isTTY; process.kill(process.pid, 9)"';
  const script = `(${unblock}; "$@" env --format json) | ${SLOW_READER}`;
  expect((await finish(inShell(service, script))).out.trim()).toBe(
    String(BIG + JSON.stringify({ TOKEN: '' }, null, 2).length + 1),
  );
});

test('a reader that exits early ends the command silently', async () => {
  service.secrets = { TOKEN: 'x'.repeat(BIG) };
  const { out, err } = await finish(inShell(service, '("$@" env; echo $? >&3) 3>&1 | true'));
  expect({ out, err }).toEqual({ out: '', err: '' });
  const ended = await finish(inShell(service, `{ { "$@" env; echo $? >&3; } | head -c 1 >&2; } 3>&1`));
  expect({ code: ended.out, err: ended.err }).toEqual({ code: '1\n', err: 'T' });
});

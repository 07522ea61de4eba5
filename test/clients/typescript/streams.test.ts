import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeService, startFakeService } from './fake-service.ts';
import { CLI, environmentFor, finish, inShell, linesOf, type Started } from './processes.ts';

/** More than any pipe holds. */
const BIG = 3_000_000;
// Much later than the writer has filled the pipe.
const SLOW_READER = '(sleep 1; wc -c)';

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ TOKEN: 'swordfish' });
  folder = mkdtempSync(join(tmpdir(), 'cuevault-streams-'));
});

afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('a command', () => {
  test('can write to a slow reader as if cuevault were not there', async () => {
    const file = join(folder, 'big');
    writeFileSync(file, Buffer.alloc(BIG));
    const { out, err } = await finish(inShell(service, `"$@" run -- cat ${file} | ${SLOW_READER}`));
    expect({ out: Number(out), err }).toEqual({ out: BIG, err: '' });
  });

  test('can wait for its input, also after a signal was passed on', async () => {
    const script =
      'trap "got=1" USR1; echo ready; until [ "$got" ]; do sleep 0.05; done; echo reading; exec cat';
    const child: Started = spawn(process.execPath, [CLI, 'run', '--', 'sh', '-c', script], {
      env: environmentFor(service),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const next = linesOf(child);
    expect(await next()).toBe('ready');
    child.kill('SIGUSR1');
    expect(await next()).toBe('reading');
    await sleep(300);
    child.stdin?.end('late\n');
    expect(await next()).toBe('late');
  });
});

test('all of a long output reaches a slow reader, also through a pipe that does not block', async () => {
  service.secrets = { TOKEN: 'x'.repeat(BIG) };
  // Killed, so that it cannot put the pipe back as it was.
  const unblock = 'node -e "process.stdout.isTTY; process.kill(process.pid, 9)"';
  const script = `(${unblock}; "$@" env --format json) | ${SLOW_READER}`;
  expect((await finish(inShell(service, script))).out.trim()).toBe(
    String(BIG + JSON.stringify({ TOKEN: '' }, null, 2).length + 1),
  );
});

test('a reader that goes early ends the command without a word', async () => {
  service.secrets = { TOKEN: 'x'.repeat(BIG) };
  const { out, err } = await finish(inShell(service, '("$@" env; echo $? >&3) 3>&1 | true'));
  expect({ out, err }).toEqual({ out: '', err: '' });
  const ended = await finish(inShell(service, `{ { "$@" env; echo $? >&3; } | head -c 1 >&2; } 3>&1`));
  expect({ code: ended.out, err: ended.err }).toEqual({ code: '1\n', err: 'T' });
});

test('an output that cannot be written is one line on standard error', async () => {
  const { code, err } = await finish(inShell(service, '"$@" env > /dev/full'));
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^cuevault: .*ENOSPC.*\n$/) });
});

test('a standard error that nobody reads does not change how it ends', async () => {
  const script = '{ { "$@" env --format xml; echo $? >&3; } 2>&1 | true; } 3>&1';
  expect((await finish(inShell(service, script))).out).toBe('2\n');
});

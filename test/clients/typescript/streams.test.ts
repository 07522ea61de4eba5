import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder } from '../../support/new-folder.ts';
import { CLI, environmentFor, finish, inShell, linesOf, type Started } from './cli/processes.ts';
import { type FakeService, startFakeService } from './fake-service.ts';

/** More than the buffer of any pipe. */
const BIG = 3_000_000;
// Long after the writer has filled the pipe.
const SLOW_READER = '(sleep 1; wc -c)';

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ TOKEN: 'swordfish' });
  folder = newFolder();
});

afterEach(() => service.stop());

describe('a command', () => {
  test('can write to a slow reader as it could without cuevault', async () => {
    const file = join(folder, 'big');
    writeFileSync(file, Buffer.alloc(BIG));
    const { out, err } = await finish(inShell(service, `"$@" run -- cat "${file}" | ${SLOW_READER}`));
    expect({ out: Number(out), err }).toEqual({ out: BIG, err: '' });
  });

  test('can wait for input, even after a signal', async () => {
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

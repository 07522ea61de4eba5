import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newFolder } from '../../support/new-folder.ts';
import { CLI, environmentFor, finish, linesOf, type Started, start, startCli } from './cli/processes.ts';
import { type FakeService, startFakeService } from './fake-service.ts';

const WATCH = ['run', '--watch', '--watch-interval', '0.1', '--'];

let service: FakeService;
let folder: string;

beforeEach(async () => {
  service = await startFakeService({ TOKEN: 'first' });
  folder = newFolder();
});

afterEach(() => service.stop());

const watching = (script: string, ...options: string[]): Started =>
  startCli(['run', ...options, ...WATCH.slice(1), 'sh', '-c', script], { env: environmentFor(service) });

/** The same in its own terminal, with standard input as its keyboard. */
const inTerminal = (script: string, input = ''): Started => {
  writeFileSync(join(folder, 'command.sh'), script);
  // A shell in between would handle Ctrl-C itself: bash waits for the command's exit status, dash exits on the signal.
  const line = `exec ${process.execPath} ${CLI} ${WATCH.join(' ')} sh "${join(folder, 'command.sh')}" ${input}`;
  // Bash warns of a language that the machine does not have.
  const env = { ...environmentFor(service), LC_ALL: 'C' };
  return start('script', ['--quiet', '--return', '--command', line, '/dev/null'], { env }, 'pipe');
};

// A zombie counts as ended.
const isRunning = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

const untilGone = async (pid: number): Promise<void> => {
  while (isRunning(pid)) await sleep(20);
};

describe('without a terminal', () => {
  // Like a wrapper script: the signal ends the shell, but not what it started.
  const WRAPPER = 'sh -c "echo \\$\\$ \\$TOKEN; while :; do sleep 0.05; done"; true';

  test('a restart, and with --group a signal, end everything that the command has started', async () => {
    const child = watching(WRAPPER, '--group');
    const next = linesOf(child);
    const [old, first] = (await next()).split(' ');
    service.secrets = { TOKEN: 'second' };
    const [young, second] = (await next()).split(' ');
    expect([first, second]).toEqual(['first', 'second']);
    expect(isRunning(Number(old))).toBe(false);
    child.kill('SIGTERM');
    await finish(child);
    await untilGone(Number(young));
  });

  // Nothing reaps what is left to a first process that is no init: the zombies stay in the group.
  const FIRST = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const hasNamespaces = spawnSync('unshare', [...FIRST, 'true']).status === 0;
  (hasNamespaces ? test : test.skip)('as process 1, a restart follows at once', async () => {
    const script = 'sh -c "sleep 60 & sleep 60 & exit"; echo "$PPID $TOKEN"; sleep 60; true';
    const args = [...FIRST, process.execPath, CLI, ...WATCH, 'sh', '-c', script];
    const child = start('unshare', args, { env: environmentFor(service) });
    const next = linesOf(child);
    expect(await next()).toBe('1 first');
    service.secrets = { TOKEN: 'second' };
    const changed = Date.now();
    expect(await next()).toBe('1 second');
    expect(Date.now() - changed).toBeLessThan(5_000);
    child.kill('SIGKILL');
    await finish(child);
  });

  test('a signal reaches the command alone, so that it can finish its work', async () => {
    const child = watching(
      'sleep 60 & worker=$!; trap "kill -0 $worker && echo works; kill $worker; exit 7" TERM; echo; wait',
    );
    const next = linesOf(child);
    await next();
    child.kill('SIGTERM');
    expect([await next(), (await finish(child)).code]).toEqual(['works', 7]);
  });

  test('processes that do not end in time for a restart are killed', async () => {
    const deaf = "trap '' TERM; echo \\$\\$ \\$TOKEN; while :; do sleep 0.05; done";
    const child = watching(`sh -c "${deaf}"; true`, '--group');
    const next = linesOf(child);
    const [old] = (await next()).split(' ');
    service.secrets = { TOKEN: 'second' };
    const [young, second] = (await next()).split(' ');
    expect(second).toBe('second');
    await untilGone(Number(old));
    process.kill(Number(young), 'SIGKILL');
    child.kill('SIGTERM');
    await finish(child);
  });
});

describe('in a terminal', () => {
  const TRAP = 'trap "echo got" INT; echo ready; ';
  /** Its lines without what the terminal adds. */
  const linesIn = (child: Started) => {
    const line = linesOf(child);
    return async () => (await line()).trim();
  };
  const CTRL_C = '\x03';

  test('the command is in the foreground process group, and Ctrl-C reaches it once', async () => {
    const script = `${TRAP} ps -o pgid= -p $$ -p $PPID; until read line; do :; done; echo "$line"`;
    const child = inTerminal(script);
    const next = linesIn(child);
    expect(await next()).toBe('ready');
    const groups = [await next(), await next()];
    expect(groups[0]).toBe(groups[1]);
    child.stdin?.write(CTRL_C);
    expect(await next()).toBe('^Cgot');
    child.stdin?.write('over\n');
    expect(await next()).toBe('over');
    expect(await next()).toBe('over');
    child.stdin?.end();
    expect((await finish(child)).code).toBe(0);
  });

  test('Ctrl-C also reaches a command without input once', async () => {
    const over = join(folder, 'over');
    const child = inTerminal(`${TRAP} until [ -e "${over}" ]; do sleep 0.05; done; echo over`, '< /dev/null');
    const next = linesIn(child);
    expect(await next()).toBe('ready');
    child.stdin?.write(CTRL_C);
    expect(await next()).toBe('^Cgot');
    await sleep(300);
    writeFileSync(over, '');
    expect(await next()).toBe('over');
    child.stdin?.end();
    expect((await finish(child)).code).toBe(0);
  });

  test('a restart ends everything that the command has started, such as an npm server, and nothing else', async () => {
    // A wrapper that forwards no signals, and a server that takes its time.
    const server = join(folder, 'server.sh');
    const onTerm = `trap 'sleep 0.2; echo end $TOKEN; exit' TERM`;
    writeFileSync(server, `${onTerm}; echo ready $$ $TOKEN; while :; do sleep 0.05; done`);
    const child = inTerminal(`sh "${server}"; true`);
    const line = linesIn(child);
    const next = async (): Promise<string> => {
      const said = await line();
      // The shell's message about its own `sleep`.
      return said === 'Terminated' ? next() : said;
    };
    const [ready, old, first] = (await next()).split(' ');
    expect([ready, first]).toEqual(['ready', 'first']);
    service.secrets = { TOKEN: 'second' };
    expect(await next()).toBe('cuevault: Changed: TOKEN. The command is restarted.');
    expect(await next()).toBe('end first');
    const [again, young, second] = (await next()).split(' ');
    expect([again, second]).toEqual(['ready', 'second']);
    expect(isRunning(Number(old))).toBe(false);
    child.stdin?.write(CTRL_C);
    child.stdin?.end();
    await untilGone(Number(young));
    await finish(child);
  });
});

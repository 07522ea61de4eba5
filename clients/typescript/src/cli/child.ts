import { type ChildProcess, execFileSync, type StdioOptions, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { isatty } from 'node:tty';
import { CliError, EXIT } from './exit-codes.ts';
import {
  certainFile,
  checkCommand,
  type Environment,
  noSuchCommand,
  type Start,
  windowsStart,
} from './find.ts';
import { Redactor } from './redact.ts';
import { processTerminal, STDERR, STDIN, STDOUT, writeBytes } from './terminal.ts';

// proc(5): the name is in parentheses and may contain some itself; then the state, the parent and the group. A zombie has ended.
const fromProc = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state === 'Z' || state === 'X'
          ? []
          : [{ pid: Number(name), parent: Number(parent), group: Number(group) }];
      } catch {
        // It ended in between.
        return [];
      }
    });

const fromPs = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent, group]) => ({ pid: Number(pid), parent: Number(parent), group: Number(group) }));

const processes = () => {
  try {
    return process.platform === 'linux' ? fromProc() : fromPs();
  } catch {
    return [];
  }
};

/** The processes of `pids` that still run, and all their descendants. */
export const treeOf = (pids: readonly number[]): number[] => {
  const all = processes();
  const found = new Set(all.flatMap(({ pid }) => (pids.includes(pid) ? [pid] : [])));
  // Iterating over a set also visits members added meanwhile.
  for (const pid of found) {
    for (const other of all) if (other.parent === pid) found.add(other.pid);
  }
  return [...found];
};

/** How a command ended: with a code, or by a signal. */
export type Ending = { readonly code: number } | { readonly signal: NodeJS.Signals };

const WINDOWS = process.platform === 'win32';
const PASSED_ON: readonly NodeJS.Signals[] = WINDOWS
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
const ORPHAN_POLL_MS = 250;
const SILENCE_MS = 100;
const MOST_TAIL_MS = 1_000;
const FROM_THE_KEYBOARD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

const startError = (command: string, { code }: NodeJS.ErrnoException): CliError => {
  // Elsewhere the file was found before: its interpreter or loader is missing.
  if (WINDOWS && code === 'ENOENT') return noSuchCommand(command);
  if (code === 'E2BIG' || code === 'ENAMETOOLONG') {
    const advice = 'Leave some out with --only or --tags, or let the command read them from a file.';
    return new CliError(
      `The secrets are too large for the variables of a command (${code}). ${advice}`,
      EXIT.cannotRun,
    );
  }
  return new CliError(`The command ${command} cannot be run (${code}).`, EXIT.cannotRun);
};

/** Ends a stream once what was written to it has arrived. */
const endWhenSilent = (output: Readable | null): void => {
  if (output === null || output.readableEnded) return;
  const deadline = performance.now() + MOST_TAIL_MS;
  const end = () => output.push(null);
  let timer = setTimeout(end, SILENCE_MS);
  output.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(end, Math.min(SILENCE_MS, Math.max(0, deadline - performance.now())));
  });
  output.once('close', () => clearTimeout(timer));
};

const endingOf = (child: ChildProcess, command: string): Promise<Ending> =>
  new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(command, error)));
    // After its output, which a process that outlives it may hold open.
    child.once('close', (code, signal) =>
      resolve(signal === null ? { code: code ?? EXIT.other } : { signal }),
    );
    child.once('exit', () => {
      for (const output of [child.stdout, child.stderr]) endWhenSilent(output);
    });
  });

const signalTo = (target: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(target, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

interface Processes {
  readonly killAll: (signal: NodeJS.Signals) => void;
  /** Whether it, or a process that it has started, still runs. */
  readonly isRunning: () => boolean;
}

/** Everything that a command has started, as its own process group. */
const groupOf = (leader: number): Processes => ({
  killAll: (signal) => signalTo(-leader, signal),
  isRunning: () => {
    if (!signalTo(-leader, 0)) return false;
    // As process 1, this process inherits what the command leaves behind, and cannot bury it.
    const all = processes();
    return all.length === 0 || all.some(({ group }) => group === leader);
  },
});

/** The same in the terminal's group, which it shares with others: found by parent process. */
const treeUnder = (root: number): Processes => {
  // A process that has lost its parent is not found again.
  let known = [root];
  return {
    killAll: (signal) => {
      known = treeOf(known);
      for (const pid of known) signalTo(pid, signal);
    },
    isRunning: () => {
      known = treeOf(known);
      return known.length > 0;
    },
  };
};

const singleProcess = (child: ChildProcess): Processes => ({
  killAll: (signal) => child.kill(signal),
  isRunning: () => child.exitCode === null && child.signalCode === null,
});

const printMasked = (output: Readable | null, file: 1 | 2, values: readonly string[] = []): void => {
  if (output === null) return;
  const redactor = new Redactor(values);
  const print = (bytes: Uint8Array) => {
    try {
      writeBytes(file, bytes);
    } catch {
      // The reader is gone: so must be the pipe of the command.
      output.destroy();
    }
  };
  output.on('data', (chunk: Uint8Array) => print(redactor.push(chunk)));
  output.on('end', () => print(redactor.end()));
};

/**
 * Starts a command as a child process that shares input and output with this one; with `masked`, its output passes
 * through this process, which masks these values.
 * Errors: CliError `cannotRun`, `noSuchCommand`.
 */
export const startChild = (
  command: string,
  args: readonly string[],
  env: Environment,
  masked?: readonly string[],
) => {
  const given: Start = WINDOWS ? windowsStart(command, args, env) : { file: command, args };
  if (!WINDOWS) checkCommand(command, env);
  // At a terminal the command must stay in the terminal's group, where keys reach it and it can read.
  const detached = !WINDOWS && !isatty(STDIN);
  const stdio: StdioOptions = masked === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'];
  let child: ChildProcess;
  try {
    const { file, windowsVerbatimArguments } = given;
    child = spawn(file, given.args, {
      stdio,
      env: env as NodeJS.ProcessEnv,
      detached,
      windowsVerbatimArguments,
    });
  } catch (error) {
    // Errors before the start, such as an environment that is too large, are thrown.
    throw startError(command, error as NodeJS.ErrnoException);
  }
  printMasked(child.stdout, STDOUT, masked);
  printMasked(child.stderr, STDERR, masked);
  const ended = endingOf(child, command);
  const tree = detached ? groupOf : treeUnder;
  const { pid } = child;
  const { killAll, isRunning } = WINDOWS || pid === undefined ? singleProcess(child) : tree(pid);
  /** Signals the command; with `all`, everything that it has started too. */
  const kill = (signal: NodeJS.Signals, all?: boolean) =>
    all === true ? killAll(signal) : child.kill(signal);
  return { ended, isRunning, kill };
};

export type Child = ReturnType<typeof startChild>;

/** What a system accepts at least as arguments and environment together. */
const MOST_BYTES = 131_072;

/**
 * Replaces this process with a command, so that signals are its own and no parent keeps the API key. Returns where that
 * is impossible, or not certain to succeed: `process.execve` aborts if it fails.
 */
export const becomeCommand = (command: string, args: readonly string[], env: Environment): void => {
  const file = isNpx() || process.execve === undefined ? undefined : certainFile(command, env);
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  // A pointer of eight bytes and a NUL for each.
  const size = [command, ...args, ...variables].reduce((sum, text) => sum + Buffer.byteLength(text) + 9, 0);
  if (file === undefined || size > MOST_BYTES) return;
  // Node.js ignores these two, and the command would inherit that; handlers are not inherited.
  for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined);
  process.execve?.(file, [command, ...args], env as NodeJS.ProcessEnv);
};

const isNpx = (): boolean => process.env.npm_command === 'exec';

// npx ends on a signal without passing it on, and this process loses its parent.
const whenNpxEnds = (act: () => void): NodeJS.Timeout | undefined => {
  if (!isNpx()) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    processTerminal().err(
      'cuevault: npx has ended without passing a signal on, so the command is stopped. ' +
        'Use ./node_modules/.bin/cuevault in place of npx.\n',
    );
    act();
  }, ORPHAN_POLL_MS);
  return timer.unref();
};

/** Forwards the signals of this process to `target`; returns a function that stops this. */
export const passSignals = (target: (signal: NodeJS.Signals) => void): (() => void) => {
  const handlers = PASSED_ON.map((signal) => {
    const handler = () => {
      // A key pressed in a terminal reaches the command anyway: forwarding it would deliver it twice.
      if (!(isatty(STDIN) && FROM_THE_KEYBOARD.includes(signal))) target(signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  const timer = whenNpxEnds(() => target('SIGTERM'));
  return () => {
    clearInterval(timer);
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
};

/** Ends this process by the signal that ended the command, or returns the exit code that says so. */
export const endAs = (ending: Ending): number => {
  if ('code' in ending) return ending.code;
  process.kill(process.pid, ending.signal);
  return 128 + constants.signals[ending.signal];
};

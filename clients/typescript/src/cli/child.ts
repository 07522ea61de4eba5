import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { CliError, EXIT } from './exit-codes.ts';
import { type Environment, findCommand, noSuchCommand } from './find.ts';
import { STDIN } from './terminal.ts';

/** How a command ended: with a code, or by a signal. */
export type Ending = { readonly code: number } | { readonly signal: NodeJS.Signals };

export interface Child {
  /** Errors: CliError `cannotRun` or `noSuchCommand`. */
  readonly ended: Promise<Ending>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Whether it, or something that it has started and that `kill` reaches, still runs. */
  readonly isRunning: () => boolean;
}

const WINDOWS = process.platform === 'win32';
const PASSED_ON: readonly NodeJS.Signals[] = WINDOWS
  ? ['SIGINT', 'SIGTERM', 'SIGHUP']
  : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];
const FROM_THE_KEYBOARD: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

const startError = (command: string, { code }: NodeJS.ErrnoException): CliError => {
  // Elsewhere the file was found before, and it is its interpreter or loader that is missing.
  if (WINDOWS && code === 'ENOENT') return noSuchCommand(command);
  return new CliError(`The command ${command} cannot be run (${code}).`, EXIT.cannotRun);
};

const endingOf = (child: ChildProcess, command: string): Promise<Ending> =>
  new Promise((resolve, reject) => {
    child.once('error', (error) => reject(startError(command, error)));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { code: code ?? EXIT.other } : { signal }),
    );
  });

const signalGroup = (leader: number | undefined, signal: NodeJS.Signals | 0): boolean => {
  try {
    return leader !== undefined && process.kill(-leader, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

// A shell or another wrapper hands no signals on, so they go to all that it has started. But at a terminal the command
// has to stay in the terminal's group, where keys reach it and it may read.
const hasOwnGroup = (): boolean => !WINDOWS && !isatty(STDIN);

const startProcess = (command: string, args: readonly string[], env: Environment): Child => {
  const detached = hasOwnGroup();
  const child = spawn(command, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv, detached });
  const ended = endingOf(child, command);
  if (!detached) {
    const isRunning = () => child.exitCode === null && child.signalCode === null;
    return { ended, kill: (signal) => child.kill(signal), isRunning };
  }
  const kill = (signal: NodeJS.Signals) => signalGroup(child.pid, signal);
  return { ended, kill, isRunning: () => signalGroup(child.pid, 0) };
};

/**
 * Starts a command beside this process, which shares its input and output with it.
 * Errors: CliError `cannotRun`, `noSuchCommand`.
 */
export const startChild = (command: string, args: readonly string[], env: Environment): Child => {
  if (!WINDOWS) findCommand(command, env);
  try {
    return startProcess(command, args, env);
  } catch (error) {
    // What is already wrong before the start, such as an environment that is too large, is thrown.
    throw startError(command, error as NodeJS.ErrnoException);
  }
};

/** Hands signals that this process gets to whoever `target` names; returns what ends that. */
export const passSignals = (target: (signal: NodeJS.Signals) => void): (() => void) => {
  const handlers = PASSED_ON.map((signal) => {
    const handler = () => {
      // A key pressed in a terminal reaches the command as well: passing it on would double it.
      if (!(isatty(STDIN) && FROM_THE_KEYBOARD.includes(signal))) target(signal);
    };
    process.on(signal, handler);
    return [signal, handler] as const;
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
};

/** Ends this process by the signal that ended the command, or returns the exit code that says so. */
export const endAs = (ending: Ending): number => {
  if ('code' in ending) return ending.code;
  process.kill(process.pid, ending.signal);
  return 128 + constants.signals[ending.signal];
};

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { CuevaultOptions } from '../../clients/typescript/src/index.ts';
import type { OfflineOptions } from '../../clients/typescript/src/offline.ts';

/** The options of a client; absent ones have their defaults. */
export type ClientConfig = Omit<CuevaultOptions, 'apiKey' | 'offline'> & {
  readonly apiKey?: string | undefined;
  readonly offline?: OfflineOptions;
  /** Collect the events, for the operation `events`. */
  readonly events?: boolean;
};

export type Operation =
  | 'prompts.get'
  | 'secrets.get'
  | 'secrets.all'
  | 'getSecrets'
  | 'getPrompt'
  | 'events'
  | 'environment'
  | 'pass'
  | 'quiet';

export interface Request {
  readonly clientId: string;
  readonly client: ClientConfig;
  readonly op: Operation;
  readonly args: Readonly<Record<string, unknown>>;
  readonly concurrency?: number;
}

export interface DriverError {
  readonly type: string;
  readonly code: string;
  readonly status?: number | null | undefined;
  readonly message: string;
  readonly requestId?: string | null | undefined;
  readonly retryAfter?: number | null | undefined;
  readonly variables?: readonly string[] | null | undefined;
}

export type Outcome = { readonly ok: unknown } | { readonly error: DriverError };

/** A program with one client library; README.md describes its protocol. */
export interface Driver {
  /** Rejects if the driver ends before it answers. */
  readonly ask: (request: object) => Promise<Outcome>;
  /** Rejects when the driver ends or cannot be started; never resolves. */
  readonly ended: Promise<never>;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

/** Resolves with the exit code or signal, or with the error of a program that cannot be started. */
const ending = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`could not be started: ${message}`));
    child.once('exit', (code, signal) => resolve(`ended with ${code ?? signal}.`));
  });

/** Starts a driver. Its standard error is the test's. */
export const startDriver = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Driver => {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  // The end of the driver is the error: a write to one that has ended reports nothing more.
  child.stdin.on('error', () => undefined);
  const waiting: ((line: string) => void)[] = [];
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.(line));
  let count = 0;
  const gone = ending(child);
  const ended = gone.then((how): never => {
    throw new Error(`The driver ${[command, ...args].join(' ')} ${how}`);
  });
  ended.catch(() => undefined);
  return {
    ended,
    ask: async (request) => {
      const expected = ++count;
      const line = new Promise<string>((resolve) => waiting.push(resolve));
      child.stdin.write(`${JSON.stringify({ id: expected, ...request })}\n`);
      const { id, ...outcome } = JSON.parse(await Promise.race([line, ended]));
      if (id !== expected) throw new Error(`The driver answered line ${id} instead of ${expected}.`);
      return outcome;
    },
    signal: (signal) => {
      child.kill(signal);
    },
    stop: async () => {
      child.stdin.end();
      child.kill();
      await gone;
    },
  };
};

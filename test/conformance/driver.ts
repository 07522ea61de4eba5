import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The options of a client; absent ones have their defaults. */
export interface ClientConfig {
  readonly url?: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly totalTimeoutMs?: number;
  readonly retries?: number;
  readonly restMs?: number;
  readonly allowInsecureHttp?: boolean;
  readonly cache?:
    | false
    | {
        readonly latestMs?: number;
        readonly secretsMs?: number;
        readonly maxStaleMs?: number;
        readonly maxEntries?: number;
      };
  readonly strict?: boolean | 'exact';
  readonly snapshot?: object;
  /** Collect the events, for the operation `events`. */
  readonly events?: boolean;
  readonly offline?: { readonly directory: string; readonly maxAgeMs?: number };
}

export type Operation =
  | 'prompts.get'
  | 'secrets.get'
  | 'secrets.all'
  | 'getSecrets'
  | 'getPrompt'
  | 'events'
  | 'environment';

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
  readonly status?: number | null;
  readonly message: string;
  readonly retryAfter?: number | null;
  readonly variables?: readonly string[] | null;
}

export type Outcome = { readonly ok: unknown } | { readonly error: DriverError };

/** A program with one client library; README.md describes its protocol. */
export interface Driver {
  readonly ask: (request: Request) => Promise<Outcome>;
  readonly stop: () => Promise<void>;
}

const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
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
  const waiting: ((line: string) => void)[] = [];
  createInterface(child.stdout).on('line', (line) => waiting.shift()?.(line));
  let count = 0;
  const ended = gone(child).then(() => {
    throw new Error(`The driver ${args.join(' ')} ended.`);
  });
  ended.catch(() => undefined);
  return {
    ask: async (request) => {
      const line = new Promise<string>((resolve) => waiting.push(resolve));
      child.stdin.write(`${JSON.stringify({ id: ++count, ...request })}\n`);
      const { id, ...outcome } = JSON.parse(await Promise.race([line, ended]));
      if (id !== count) throw new Error(`The driver answered line ${id} instead of ${count}.`);
      return outcome;
    },
    stop: async () => {
      child.stdin.end();
      child.kill();
      await gone(child);
    },
  };
};

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FirstRun } from '../../../local/first-run.ts';

const START = fileURLToPath(new URL('../../../local/start.mjs', import.meta.url));

export interface RunnerOptions {
  /** What differs from this process's environment; the port is any free one unless it is given here. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The program, and the Node.js that runs it. @default - those of the repository */
  readonly program?: string;
  readonly node?: string;
}

/** `npm start` as a separate process. */
export const startRunner = ({
  environment = {},
  args = [],
  cwd,
  program = START,
  node = process.execPath,
}: RunnerOptions = {}): ChildProcess =>
  spawn(node, [program, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Waits until it runs. Returns its greeting. */
export const greeting = async (child: ChildProcess): Promise<string> => {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('Ctrl-C stops it')) return text;
  }
  throw new Error(`It did not start: ${text}`);
};

/** Waits until it runs on the folder. Returns the record of the first run. */
export const ready = async (child: ChildProcess, dataFolder: string): Promise<FirstRun> => {
  await greeting(child);
  return JSON.parse(readFileSync(path.join(dataFolder, 'first-run.json'), 'utf8'));
};

/** Waits until it has ended. Returns its exit code and its standard error without the functions' logs. */
export const ending = async (child: ChildProcess): Promise<{ code: number; lines: string[] }> => {
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  const lines = text.split('\n').filter((line) => line !== '' && !/^\d\d:\d\d:\d\d /.test(line));
  return { code, lines };
};

/** Stops it as Ctrl-C does. */
export const endRunner = async (child: ChildProcess): Promise<void> => {
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
};

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { API_KEY, type FakeService } from '../fake-service.ts';

export const CLI = 'clients/typescript/src/cli.ts';

export type Started = ChildProcessByStdio<Writable | null, Readable, Readable>;

export const environmentFor = (service: FakeService): NodeJS.ProcessEnv => ({
  ...process.env,
  CUEVAULT_URL: service.url,
  CUEVAULT_API_KEY: API_KEY,
  NODE_NO_WARNINGS: '1',
});

/** The exit code or signal of a process, and its output. */
export const finish = async (child: Started) => {
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code, signal, out, err };
};

/** The lines that a process prints, one by one. */
export const linesOf = (child: Started) => {
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (): Promise<string> => String((await lines.next()).value);
};

/** Runs a shell script with the command line as "$@". */
export const inShell = (service: FakeService, script: string): Started =>
  spawn('sh', ['-c', script, 'sh', process.execPath, CLI], {
    env: environmentFor(service),
    stdio: ['ignore', 'pipe', 'pipe'],
  });

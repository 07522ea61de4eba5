import { type ChildProcessByStdio, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../../clients/typescript/src/cli/main.ts';
import { inert } from '../../../../clients/typescript/src/cli/terminal.ts';
import { withVariables } from '../../../support/processes/process.ts';
import { API_KEY, type FakeService } from '../fake-service.ts';

export const CLI = 'clients/typescript/src/cli.ts';

export type Started = ChildProcessByStdio<Writable | null, Readable, Readable>;

export const environmentFor = (service: FakeService): NodeJS.ProcessEnv => ({
  ...process.env,
  CUEVAULT_URL: service.url,
  CUEVAULT_API_KEY: API_KEY,
  NODE_NO_WARNINGS: '1',
});

/** Starts a program whose output is read, and which has no input unless it is told so. */
export const start = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
  input: 'ignore' | 'pipe' = 'ignore',
): Started => spawn(command, args, { ...options, stdio: [input, 'pipe', 'pipe'] }) as Started;

/** Starts the command line. */
export const startCli = (args: readonly string[], options?: SpawnOptions, input?: 'pipe'): Started =>
  start(process.execPath, [resolve(CLI), ...args], options, input);

/** The exit code or signal of a process, and its output. */
export const finish = async (child: Started) => {
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code, signal, out, err };
};

/** Runs an ES module, given as text, to its end. */
export const runProgram = (program: string, options: SpawnOptions) => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  return finish(start(process.execPath, args, options));
};

/** The lines that a process prints, one by one. */
export const linesOf = (child: Started) => {
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (): Promise<string> => String((await lines.next()).value);
};

/** Runs a shell script with the command line as "$@". */
export const inShell = (service: FakeService, script: string): Started =>
  start('sh', ['-c', script, 'sh', process.execPath, CLI], { env: environmentFor(service) });

/**
 * Runs the command line in this process, which takes a tenth of the time of another one; undefined removes a variable.
 * No command takes the place of the process.
 */
export const runCli = async (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd = '.',
) => {
  const before = process.cwd();
  const { execve } = process;
  Object.assign(process, { execve: undefined });
  process.chdir(cwd);
  const output = { out: '', err: '' };
  const printing = (stream: keyof typeof output, shown: (text: string) => string) => (text: string) => {
    output[stream] += shown(text);
  };
  const terminal = { out: printing('out', inert), err: printing('err', inert), raw: printing('out', String) };
  try {
    const code = await withVariables(env, () => main([...args], { ...terminal, isTTY: false }));
    return { code, ...output };
  } finally {
    Object.assign(process, { execve });
    process.chdir(before);
  }
};

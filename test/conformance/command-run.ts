import { finish, start } from '../clients/typescript/cli/processes.ts';
import type { CommandRun } from './commands.ts';

const check = (printed: string, wanted: string | RegExp = ''): void => {
  if (typeof wanted === 'string') expect(printed).toBe(wanted);
  else expect(printed).toMatch(wanted);
};

export interface Ended {
  /** The exit code or the signal. */
  readonly code: unknown;
  readonly out: string;
  readonly err: string;
}

/** A client's command line. */
export interface CommandLine {
  readonly program: readonly [string, ...string[]];
  /** Runs it with these words and variables in a folder, without starting the program, which takes longest. */
  readonly run: (words: readonly string[], env: NodeJS.ProcessEnv, cwd: string) => Promise<Ended>;
  /** Whether `run` can also start a command in its place. */
  readonly startsCommands: boolean;
}

/** Runs a command line with one of the clients; fails if the result differs from the expected one. */
export const runCommand = async (
  { program, run, startsCommands }: CommandLine,
  { args = [], prints = [], shell, env, code = 0, out, err }: CommandRun,
  service: NodeJS.ProcessEnv,
  cwd: string,
): Promise<void> => {
  const all = { ...process.env, NODE_NO_WARNINGS: '1', ...service, ...env };
  const apart = async ([file, ...words]: readonly [string, ...string[]]): Promise<Ended> => {
    const { signal, ...ended } = await finish(start(file, words, { cwd, env: all }));
    return { ...ended, code: ended.code ?? signal };
  };
  const words = typeof args === 'string' ? args.split(' ') : [...args];
  if (prints.length > 0) words.push('--', 'sh', '-c', `echo ${prints.map((name) => `"$${name}"`).join(' ')}`);
  // Codes up to 6 are its own: no command was started.
  const startsNone = !words.includes('--') || (typeof code === 'number' && code > 0 && code <= 6);
  const here =
    startsCommands || startsNone ? () => run(words, all, cwd) : () => apart([...program, ...words]);
  const ended = await (shell === undefined ? here() : apart(['sh', '-c', shell, 'sh', ...program]));
  expect({ code: ended.code, said: ended.code === code ? '' : ended.err }).toEqual({ code, said: '' });
  check(ended.out, out);
  check(ended.err, err);
};

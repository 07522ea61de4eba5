import { finish, runCli, start } from '../clients/typescript/cli/processes.ts';
import type { CommandRun } from './commands.ts';
import type { Service } from './service.ts';

const check = (printed: string, wanted: string | RegExp = ''): void => {
  if (typeof wanted === 'string') expect(printed).toBe(wanted);
  else expect(printed).toMatch(wanted);
};

/** Runs a client in a process of its own. */
const runApart = async (
  cli: readonly [string, ...string[]],
  {
    prints,
    shell,
    words,
  }: Required<Pick<CommandRun, 'prints'>> & {
    readonly shell?: string | undefined;
    readonly words: readonly string[];
  },
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
) => {
  const [program, ...before] = shell === undefined ? cli : (['sh', '-c', shell, 'sh', ...cli] as const);
  const echo = `echo ${prints.map((name) => `"$${name}"`).join(' ')}`;
  const command = prints.length > 0 ? ['--', 'sh', '-c', echo] : [];
  const child = start(program, [...before, ...words, ...command], { cwd, env: { ...process.env, ...env } });
  const { code, signal, out, err } = await finish(child);
  return { code: code ?? signal, out, err };
};

/** Runs a command line with one of the clients; fails if the result differs from the expected one. */
export const runCommand = async (
  cli: readonly [string, ...string[]],
  { args = [], prints = [], shell, env = {}, code = 0, out, err }: CommandRun,
  { url, apiKey }: Service,
  cwd: string,
): Promise<void> => {
  const words = typeof args === 'string' ? args.split(' ') : args;
  const all = { NODE_NO_WARNINGS: '1', CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey, ...env };
  // Wrong usage starts no command either.
  const isAlone = shell === undefined && (code === 2 || (prints.length === 0 && !words.includes('--')));
  const ended =
    isAlone && cli[0] === process.execPath
      ? await runCli(words, all, cwd)
      : await runApart(cli, { prints, shell, words }, cwd, all);
  expect({ code: ended.code, said: ended.code === code ? '' : ended.err }).toEqual({ code, said: '' });
  check(ended.out, out);
  check(ended.err, err);
};

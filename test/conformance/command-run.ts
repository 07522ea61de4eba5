import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { main } from '../../clients/typescript/src/cli/main.ts';
import { inert } from '../../clients/typescript/src/cli/terminal.ts';
import type { CommandRun } from './commands.ts';
import type { Service } from './service.ts';

const check = (printed: string, wanted: string | RegExp = ''): void => {
  if (typeof wanted === 'string') expect(printed).toBe(wanted);
  else expect(printed).toMatch(wanted);
};

/** Runs the npm client in this process, which takes a tenth of the time of another one. */
const runHere = async (
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
) => {
  const before = { env: { ...process.env }, cwd: process.cwd() };
  for (const [name, value] of Object.entries(env))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  process.chdir(cwd);
  let [printed, said] = ['', ''];
  const out = (text: string) => {
    printed += inert(text);
  };
  const err = (text: string) => {
    said += inert(text);
  };
  const raw = (text: string) => {
    printed += text;
  };
  try {
    return { ending: await main([...words], { out, err, raw, isTTY: false }), printed, said };
  } finally {
    process.chdir(before.cwd);
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before.env);
  }
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
  const child = spawn(program, [...before, ...words, ...command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ending: (await ended).find((how) => how !== null), printed, said };
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
  const { ending, printed, said } =
    isAlone && cli[0] === process.execPath
      ? await runHere(words, cwd, all)
      : await runApart(cli, { prints, shell, words }, cwd, all);
  expect({ code: ending, said: ending === code ? '' : said }).toEqual({ code, said: '' });
  check(printed, out);
  check(said, err);
};

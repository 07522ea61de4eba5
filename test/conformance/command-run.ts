import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { CommandRun } from './commands.ts';
import type { Service } from './service.ts';

const check = (printed: string, wanted: string | RegExp = ''): void => {
  if (typeof wanted === 'string') expect(printed).toBe(wanted);
  else expect(printed).toMatch(wanted);
};

/** Runs a command line with one of the clients; fails if the result differs from the expected one. */
export const runCommand = async (
  cli: readonly [string, ...string[]],
  { args = [], prints = [], shell, env = {}, code = 0, out, err }: CommandRun,
  { url, apiKey }: Service,
  cwd: string,
): Promise<void> => {
  const [program, ...before] = shell === undefined ? cli : (['sh', '-c', shell, 'sh', ...cli] as const);
  const words = typeof args === 'string' ? args.split(' ') : args;
  const echo = `echo ${prints.map((name) => `"$${name}"`).join(' ')}`;
  const command = prints.length > 0 ? ['--', 'sh', '-c', echo] : [];
  const child = spawn(program, [...before, ...words, ...command], {
    cwd,
    env: { ...process.env, NODE_NO_WARNINGS: '1', CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const ending = (await ended).find((how) => how !== null);
  expect({ code: ending, said: ending === code ? '' : said }).toEqual({ code, said: '' });
  check(printed, out);
  check(said, err);
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type CommandRun, PLACES } from './commands.ts';
import type { Service } from './service.ts';

const check = (printed: string, wanted: string | RegExp = ''): void => {
  if (typeof wanted === 'string') expect(printed).toBe(wanted);
  else expect(printed).toMatch(wanted);
};

/** Runs a command line with one of the clients; fails if the result differs from the expected one. */
export const runCommand = async (
  cli: readonly [string, ...string[]],
  { args = [], shell, env = {}, code, out, err }: CommandRun,
  { url, apiKey }: Service,
  folder: string,
): Promise<void> => {
  const place = (value: string) => value.replace(PLACES.folder, folder);
  const [program, ...before] = shell === undefined ? cli : (['sh', '-c', shell, 'sh', ...cli] as const);
  const variables = Object.entries({ CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey, ...env });
  const child = spawn(program, [...before, ...args.map(place)], {
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      ...Object.fromEntries(variables.map(([name, value]) => [name, value && place(value)])),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const ending = (await ended).find((how) => how !== null);
  expect({ code: ending, said: ending === code ? '' : said }).toEqual({ code, said: '' });
  check(printed, out);
  check(said, err);
};

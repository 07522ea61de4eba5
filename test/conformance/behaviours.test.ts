import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../support/new-folder.ts';
import type { Behaviour } from './behaviour.ts';
import { BehaviourRunner } from './behaviour-run.ts';
import { BEHAVIOURS } from './behaviours/all.ts';
import { runCommand } from './command-run.ts';
import { COMMANDS, FILES } from './commands.ts';
import { type Driver, startDriver } from './driver.ts';
import { type Service, startService } from './service.ts';

const PYTHON = resolve('clients/python/.venv/bin/python');
/** What depends on how a client waits: the rest of the blocking client is generated from that for asyncio. */
const IN_PARALLEL = BEHAVIOURS.filter(({ steps }) =>
  steps.some((step) => ['concurrency', 'quiet', 'freeze', 'untilCalls'].some((kind) => kind in step)),
);

const CLIENTS = [
  {
    name: 'TypeScript',
    command: process.execPath,
    args: ['test/conformance/typescript-driver.ts'],
    behaviours: BEHAVIOURS,
  },
  {
    name: 'Python',
    command: PYTHON,
    args: ['test/conformance/python-driver.py'],
    // httpx limits the time of each piece of the headers, not of all of them: the README documents this.
    behaviours: BEHAVIOURS.filter(({ title }) => !title.includes('dripping headers')),
  },
  {
    name: 'Python with asyncio',
    command: PYTHON,
    args: ['test/conformance/python-driver.py', '--async'],
    behaviours: IN_PARALLEL,
  },
];

const COMMAND_LINES: readonly [string, ...string[]][] = [
  [process.execPath, resolve('clients/typescript/src/cli.ts')],
  [PYTHON, '-m', 'cuevault'],
];

interface Tested {
  readonly name: string;
  readonly behaviours: readonly Behaviour[];
  readonly driver: Driver;
  readonly runner: BehaviourRunner;
}

let folder: string;
let service: Service;
let tested: readonly Tested[] = [];

const begin = async ({ name, command, args, behaviours }: (typeof CLIENTS)[number]): Promise<Tested> => {
  for (const file of [command, ...args.slice(0, 1)])
    expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
  const driver = startDriver(command, args);
  return { name, behaviours, driver, runner: new BehaviourRunner(driver, service) };
};

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/python.mjs']);
  service = await startService();
  folder = newFolder();
  writeFileSync(join(folder, 'key'), `${service.apiKey}\n`);
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, name), text, { encoding: 'latin1', mode: 0o755 });
  tested = await Promise.all(CLIENTS.map(begin));
}, 300_000);

afterAll(async () => {
  for (const { driver } of tested) await driver.stop();
  await service?.stop();
});

const runWith = async ({ name, runner }: Tested, behaviour: Behaviour): Promise<void> => {
  try {
    await runner.run(behaviour);
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
};

test('no behaviour is listed twice', () => {
  const titles = BEHAVIOURS.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

// Concurrently: most of the time is spent waiting.
test.each(BEHAVIOURS)('every client: $title', async (behaviour) => {
  const able = tested.filter(({ behaviours }) => behaviours.includes(behaviour));
  const results = await Promise.allSettled(able.map((one) => runWith(one, behaviour)));
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});

test.each(COMMANDS)('every command line: $title', async (run) => {
  const able = run.npmOnly === true ? COMMAND_LINES.slice(0, 1) : COMMAND_LINES;
  await Promise.all(able.map((cli) => runCommand(cli, run, service, folder)));
});

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLI, runCli } from '../clients/typescript/cli/processes.ts';
import { newFolder } from '../support/new-folder.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';
import type { Behaviour } from './behaviour.ts';
import { BehaviourRunner } from './behaviour-run.ts';
import { BEHAVIOURS } from './behaviours/all.ts';
import { type CommandLine, type Ended, runCommand } from './command-run.ts';
import { COMMANDS, FILES } from './commands.ts';
import { type Driver, startDriver } from './driver.ts';

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

interface Tested {
  readonly name: string;
  readonly behaviours: readonly Behaviour[];
  readonly driver: Driver;
  readonly runner: BehaviourRunner;
}

let folder: string;
let tested: readonly Tested[] = [];
let commands: Driver;
const commandLines: readonly CommandLine[] = [
  { program: [process.execPath, resolve(CLI)], run: runCli, startsCommands: false },
  {
    program: [PYTHON, '-m', 'cuevault'],
    run: async (words, env, cwd) => ((await commands.ask({ words, env, cwd })) as { ok: Ended }).ok,
    startsCommands: true,
  },
];

withOwnInstance({ sample: true });

const begin = async ({ name, command, args, behaviours }: (typeof CLIENTS)[number]): Promise<Tested> => {
  for (const file of [command, ...args.slice(0, 1)])
    expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
  const driver = startDriver(command, args);
  return { name, behaviours, driver, runner: new BehaviourRunner(driver, instance.firstRun) };
};

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/python.mjs']);
  folder = newFolder();
  writeFileSync(join(folder, 'key'), `${instance.firstRun.apiKey}\n`);
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, name), text, { encoding: 'latin1', mode: 0o755 });
  tested = await Promise.all(CLIENTS.map(begin));
  commands = startDriver(PYTHON, ['test/conformance/python-driver.py', '--commands']);
}, 300_000);

afterAll(async () => {
  for (const driver of [...tested.map(({ driver }) => driver), commands]) await driver?.stop();
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
  const able = run.npmOnly === true ? commandLines.slice(0, 1) : commandLines;
  const { url, apiKey } = instance.firstRun;
  const service = { CUEVAULT_URL: url, CUEVAULT_API_KEY: apiKey };
  await Promise.all(able.map((cli) => runCommand(cli, run, service, folder)));
});

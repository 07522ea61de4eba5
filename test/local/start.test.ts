import { type ChildProcess, execSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARTITIONS } from '../../contract/table.ts';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import { readLiveHead } from '../../lambdas/store/prompts/lookups.ts';
import { listSecrets } from '../../lambdas/store/secrets/secret-lists.ts';
import type { Connection } from '../../lambdas/store/table.ts';
import { REGION } from '../../local/aws/account.ts';
import { ENGINE_CREDENTIALS } from '../../local/engine/table.ts';
import type { FirstRun } from '../../local/first-run.ts';
import type { Instance } from '../../local/instance.ts';
import { callsTo } from '../support/calls.ts';
import { daysAgo } from '../support/days.ts';
import { openInstance } from '../support/instance.ts';
import { newFolder } from '../support/new-folder.ts';
import { processesWith } from '../support/processes/process.ts';
import { ending, endRunner, greeting, startRunner } from '../support/processes/runner.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt, rowsIn } from '../support/rows/table.ts';
import { usageOf } from '../support/rows/usage.ts';
import { signIn } from '../support/sign-in.ts';

const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) await endRunner(child);
});

const start = (
  dataFolder: string,
  environment: NodeJS.ProcessEnv = {},
  args: string[] = [],
): ChildProcess => {
  const child = startRunner({ environment: { CUEVAULT_DATA: dataFolder, ...environment }, args });
  children.push(child);
  return child;
};

/** The engine on this folder, as `ps` shows it. */
const engineOn = (folder: string): string =>
  processesWith(`--db-path ${folder}`).find((text) => !text.includes('watchdog')) ?? '';
const killEngine = (folder: string) => process.kill(Number.parseInt(engineOn(folder), 10), 'SIGKILL');

describe('the first npm start in a folder', () => {
  const dataFolder = newFolder();
  let running: ChildProcess;
  let shown: string;
  beforeAll(async () => {
    running = start(dataFolder);
    shown = await greeting(running);
  });

  test('shows the API key, and the call for a prompt if there is one', () => {
    expect(shown).toContain('get-compiled');
    expect(shown).toMatch(/Bearer cue_\w+"/);
  });

  test('bounds its heap', () => {
    const bounded = processesWith('--max-semi-space-size=').map((line) => Number.parseInt(line, 10));
    expect(bounded).toContain(running.pid);
  });

  test('shows what functions log as lines that people read', async () => {
    const [, url] = /running at (\S+)/.exec(shown) ?? [];
    const headers = { authorization: 'Bearer x' };
    const body = JSON.stringify({ name: 'greeting' });
    let errors = '';
    running.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    await fetch(`${url}/api/prompt/get-compiled`, { method: 'POST', headers, body });
    while (!errors.includes('\n')) await once(running.stderr as Readable, 'data');
    expect(errors).toMatch(/^\d\d:\d\d:\d\d WARN call refused requestId=\S+ .*Reason=malformed_key/);
  });

  test('lets no other start use the folder, which says so in one line and exits with 1', async () => {
    const lines = [expect.stringMatching(/in use by process \d+/)];
    expect(await ending(start(dataFolder))).toEqual({ code: 1, lines });
  });

  test('loses no acknowledged write if it is killed with -9 during writes, and leaves no process behind', async () => {
    const firstRun: FirstRun = JSON.parse(readFileSync(path.join(dataFolder, 'first-run.json'), 'utf8'));
    const { access_token } = await signIn({ url: firstRun.url, dataFolder }, 'admin@example.com');
    const { post } = callsTo({ firstRun } as Instance);
    const isDone = async (...call: Parameters<typeof post>) => (await post(...call)).status === 200;
    let fetched = 0;
    const reader = async (): Promise<never> => {
      for (;;) if (await isDone('/api/prompt/get-compiled', { name: 'greeting' })) fetched++;
    };
    const writer = async (route: string, acknowledged: string[], of: (name: string) => object) => {
      for (let n = 0; ; n++) if (await isDone(route, of(`N_${n}`), access_token)) acknowledged.push(`N_${n}`);
    };
    const prompts: string[] = [];
    const secrets: string[] = [];
    const callers = [
      reader(),
      reader(),
      writer('/api/admin/prompts', prompts, (name) => ({ name, prompt: 'x' })),
      writer('/api/admin/secrets', secrets, (key) => ({ key, value: 'x' })),
    ].map((caller) => caller.catch(() => undefined));
    while (fetched < 30 || prompts.length < 10 || secrets.length < 10) await sleep(5);
    running.kill('SIGKILL');
    await Promise.all(callers);
    while (processesWith(dataFolder).length > 0) await sleep(50);

    const again = await openInstance({ dataFolder });
    await again.settled();
    const counts = await usageOf(again.table, promptIdOf('greeting'), 2, new Date());
    const heads = await Promise.all(prompts.map((name) => readLiveHead(again.table, promptIdOf(name))));
    const kept = (await listSecrets(again.table)).map(({ key }) => key);
    await again.stop();
    expect(again.firstRun.apiKey).toBe(firstRun.apiKey);
    expect(counts.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(fetched);
    expect(heads.map(({ name }) => name)).toEqual(prompts);
    expect(kept).toEqual(expect.arrayContaining(secrets));
  });
});

describe('a later npm start', () => {
  const dataFolder = newFolder();
  let running: ChildProcess;
  let shown: string;
  let before: Instance;
  let promptId: string;
  const rows = (from: Connection) => rowsIn(from, PARTITIONS.prompt + promptId);
  let due: number;
  beforeAll(async () => {
    before = await openInstance({ dataFolder });
    const longAgo = daysAgo(10);
    ({ promptId } = await newPrompt(before.table, { at: longAgo }));
    await deletePrompt(before.table, changeAt(longAgo), promptId);
    due = (await rows(before.table)).length;
    await before.stop();
    running = start(dataFolder);
    shown = await greeting(running);
  });

  test('shows how to read the API key, and no call for a prompt if there is none', () => {
    expect(shown).not.toMatch(/cue_|get-compiled/);
    expect(shown).toContain('Bearer $KEY"');
    const [, command = ''] = /KEY=\$\((.*)\)/.exec(shown) ?? [];
    expect(execSync(command, { encoding: 'utf8' })).toMatch(/^cue_/);
  });

  test('removes rows that were due for removal', async () => {
    const [, host, port] = /--host (\S+) --port (\d+)/.exec(engineOn(dataFolder)) ?? [];
    const table = connectTable(before.tableEnvironment, {
      endpoint: `http://${host}:${port}`,
      region: REGION,
      credentials: ENGINE_CREDENTIALS,
    });
    while ((await rows(table)).length === due) await sleep(50);
    table.client.destroy();
  });

  test('reports in one line that the engine has crashed, or that the KMS key is missing, and exits with 1', async () => {
    const ended = ending(running);
    killEngine(dataFolder);
    const lines = [expect.stringMatching(/^The DynamoDB engine has ended/)];
    expect(await ended).toEqual({ code: 1, lines });
    // A lost key is not replaced: nothing could open the secrets.
    rmSync(path.join(dataFolder, 'kms-key.json'));
    const missing = [expect.stringMatching(/kms-key\.json is missing/)];
    expect(await ending(start(dataFolder))).toEqual({ code: 1, lines: missing });
  });
});

test('if the engine crashes during the start, the start fails with one line about it', async () => {
  const dataFolder = newFolder();
  let dies = false;
  const failed = openInstance({
    dataFolder,
    hooks: {
      intercept: () => {
        if (!dies) killEngine(dataFolder);
        dies = true;
        return undefined;
      },
    },
  });
  await expect(failed).rejects.toMatchObject({
    name: 'StartError',
    message: expect.stringMatching(/^The DynamoDB engine has ended \((Killed|without output)\): start/),
  });
});

test('--help lists the variables and starts nothing', async () => {
  const dataFolder = newFolder();
  const asked = start(dataFolder, {}, ['--help']);
  const text = (await asked.stdout?.toArray())?.join('');
  for (const name of ['PORT', 'CUEVAULT_DATA', 'CUEVAULT_SAMPLE', 'CUEVAULT_DYNAMODB_ENDPOINT'])
    expect(text).toContain(name);
  expect(asked.exitCode ?? 0).toBe(0);
  expect(existsSync(path.join(dataFolder, 'lock'))).toBe(false);
});

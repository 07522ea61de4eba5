import type { ChildProcess } from 'node:child_process';
import { execSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { PARTITIONS } from '../../contract/table.ts';
import { connectTable } from '../../lambdas/store/connect.ts';
import { deletePrompt } from '../../lambdas/store/prompts/lifecycle.ts';
import type { Connection } from '../../lambdas/store/table.ts';
import { REGION } from '../../local/aws/account.ts';
import { ENGINE_CREDENTIALS } from '../../local/engine/table.ts';
import { startInstance } from '../../local/instance.ts';
import { daysAgo } from '../support/days.ts';
import { newFolder } from '../support/new-folder.ts';
import { processesWith } from '../support/processes/process.ts';
import { ending, endRunner, greeting, startRunner } from '../support/processes/runner.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt, rowsIn } from '../support/rows/table.ts';

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

describe('npm start', () => {
  const dataFolder = newFolder();
  let running: ChildProcess;
  let shown: string;
  beforeAll(async () => {
    running = start(dataFolder);
    shown = await greeting(running);
  });

  test('shows the API key at the first start, and the call for a prompt if there is one', () => {
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

  test('reports in one line that the engine has crashed, exits with 1, and shows at later starts how to read the key', async () => {
    const folder = newFolder();
    const crashing = start(folder);
    await greeting(crashing);
    const ended = ending(crashing);
    killEngine(folder);
    const lines = [expect.stringMatching(/^The DynamoDB engine has ended/)];
    expect(await ended).toEqual({ code: 1, lines });
    const again = await greeting(start(folder, { CUEVAULT_SAMPLE: '0' }));
    expect(again).toContain('get-compiled');
    expect(again).not.toContain('cue_');
    expect(again).toContain('Bearer $KEY"');
    const [, command = ''] = /KEY=\$\((.*)\)/.exec(again) ?? [];
    expect(execSync(command, { encoding: 'utf8' })).toMatch(/^cue_/);
  });
});

test('if the engine crashes during the start, the start fails with one line about it', async () => {
  const dataFolder = newFolder();
  let dies = false;
  const failed = startInstance({
    dataFolder,
    port: 0,
    sample: false,
    onLog: () => {},
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

test('rows that were due for removal are removed after a start', async () => {
  const dataFolder = newFolder();
  const before = await startInstance({ dataFolder, port: 0, sample: false, onLog: () => undefined });
  const longAgo = daysAgo(10);
  const { promptId } = await newPrompt(before.table, { at: longAgo });
  await deletePrompt(before.table, changeAt(longAgo), promptId);
  const rows = (from: Connection) => rowsIn(from, PARTITIONS.prompt + promptId);
  const { length } = await rows(before.table);
  await before.stop();
  await greeting(start(dataFolder));
  const [, host, port] = /--host (\S+) --port (\d+)/.exec(engineOn(dataFolder)) ?? [];
  const endpoint = `http://${host}:${port}`;
  const table = connectTable(before.tableEnvironment, {
    endpoint,
    region: REGION,
    credentials: ENGINE_CREDENTIALS,
  });
  while ((await rows(table)).length === length) await new Promise((resolve) => setTimeout(resolve, 50));
  table.client.destroy();
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

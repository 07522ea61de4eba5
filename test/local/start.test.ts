import type { ChildProcess } from 'node:child_process';
import { execSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
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
import { ending, endRunner, greeting, ready, startRunner } from '../support/processes/runner.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt, rowsIn } from '../support/rows/table.ts';

let dataFolder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  dataFolder = newFolder();
});
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) await endRunner(child);
});

const start = (environment: NodeJS.ProcessEnv = {}, args: string[] = []): ChildProcess => {
  child = startRunner({ environment: { CUEVAULT_DATA: dataFolder, ...environment }, args });
  return child;
};

const engineOf = (folder: string): number => {
  const [line] = processesWith(`--db-path ${folder}`).filter((text) => !text.includes('watchdog'));
  return Number.parseInt(line ?? '', 10);
};

test('if the engine crashes, npm start reports it in one line and exits with 1', async () => {
  const running = start();
  await ready(running, dataFolder);
  const ended = ending(running);
  process.kill(engineOf(dataFolder), 'SIGKILL');
  expect(await ended).toEqual({ code: 1, lines: [expect.stringMatching(/^The DynamoDB engine has ended/)] });
});

test('if the engine crashes during the start, the start fails with one line about it', async () => {
  let dies = false;
  const failed = startInstance({
    dataFolder,
    port: 0,
    sample: false,
    onLog: () => {},
    hooks: {
      intercept: () => {
        if (!dies) process.kill(engineOf(dataFolder), 'SIGKILL');
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

test('the greeting shows the API key at the first start, and the call for a prompt if there is one', async () => {
  const first = start();
  const shown = await greeting(first);
  expect(shown).toContain('get-compiled');
  expect(shown).toMatch(/Bearer cue_\w+"/);
  await endRunner(first);
  const again = await greeting(start({ CUEVAULT_SAMPLE: '0' }));
  expect(again).toContain('get-compiled');
  expect(again).not.toContain('cue_');
  expect(again).toContain('Bearer $KEY"');
  const [, command = ''] = /KEY=\$\((.*)\)/.exec(again) ?? [];
  expect(execSync(command, { encoding: 'utf8' })).toMatch(/^cue_/);
});

test('the heap of npm start is bounded', async () => {
  const running = start();
  await greeting(running);
  const bounded = processesWith('--max-semi-space-size=').map((line) => Number.parseInt(line, 10));
  expect(bounded).toContain(running.pid);
});

test('rows that were due for removal are removed after a start', async () => {
  const before = await startInstance({ dataFolder, port: 0, sample: false, onLog: () => undefined });
  const longAgo = daysAgo(10);
  const { promptId } = await newPrompt(before.table, { at: longAgo });
  await deletePrompt(before.table, changeAt(longAgo), promptId);
  const rows = (from: Connection) => rowsIn(from, PARTITIONS.prompt + promptId);
  const { length } = await rows(before.table);
  await before.stop();
  await greeting(start());
  const [line = ''] = processesWith(`--db-path ${dataFolder}`).filter((text) => !text.includes('watchdog'));
  const [, host, port] = /--host (\S+) --port (\d+)/.exec(line) ?? [];
  const endpoint = `http://${host}:${port}`;
  const table = connectTable(before.tableEnvironment, {
    endpoint,
    region: REGION,
    credentials: ENGINE_CREDENTIALS,
  });
  while ((await rows(table)).length === length) await new Promise((resolve) => setTimeout(resolve, 50));
  table.client.destroy();
});

test('what functions log is shown as lines that people read', async () => {
  const running = start();
  const { url } = await ready(running, dataFolder);
  const body = JSON.stringify({ name: 'greeting' });
  await fetch(`${url}/api/prompt/get-compiled`, {
    method: 'POST',
    headers: { authorization: 'Bearer x' },
    body,
  });
  const ended = once(running, 'close');
  let shown = '';
  for await (const chunk of running.stderr ?? []) {
    shown += String(chunk);
    if (shown.includes('\n')) break;
  }
  expect(shown).toMatch(/^\d\d:\d\d:\d\d WARN call refused requestId=\S+ .*Reason=malformed_key/);
  running.kill('SIGINT');
  await ended;
});

test('--help lists the variables and starts nothing', async () => {
  const asked = start({}, ['--help']);
  const text = (await asked.stdout?.toArray())?.join('');
  for (const name of ['PORT', 'CUEVAULT_DATA', 'CUEVAULT_SAMPLE', 'CUEVAULT_DYNAMODB_ENDPOINT'])
    expect(text).toContain(name);
  expect(asked.exitCode ?? 0).toBe(0);
  expect(existsSync(path.join(dataFolder, 'lock'))).toBe(false);
});

import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promptIdOf } from '../../lambdas/core/identifiers.ts';
import { readLiveHead } from '../../lambdas/store/prompts/lookups.ts';
import { listSecrets } from '../../lambdas/store/secrets/secret-lists.ts';
import type { FirstRun } from '../../local/first-run.ts';
import { type Instance, startInstance } from '../../local/instance.ts';
import { callsTo } from '../support/calls.ts';
import { newFolder } from '../support/new-folder.ts';
import { processesWith } from '../support/processes/process.ts';
import { ending, endRunner, greeting, ready, startRunner } from '../support/processes/runner.ts';
import { usageOf } from '../support/rows/usage.ts';
import { signIn } from '../support/sign-in.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = newFolder();
});

const start = (environment: NodeJS.ProcessEnv = {}): ChildProcess =>
  startRunner({ environment: { CUEVAULT_DATA: dataFolder, ...environment } });

/** Waits until no process of the killed start is left. */
const gone = async (): Promise<void> => {
  while (processesWith(dataFolder).length > 0) await sleep(50);
};

test('kill -9 during writes loses no acknowledged write and leaves no process behind', async () => {
  const child = start();
  const { url, apiKey } = await ready(child, dataFolder);
  const { access_token } = await signIn({ url, dataFolder }, 'admin@example.com');
  const post = async (route: string, token: string, body: object): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url + route, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.status === 200;
  };
  let fetched = 0;
  const created: string[] = [];
  const secrets: string[] = [];
  const reader = async (): Promise<never> => {
    for (;;) if (await post('/api/prompt/get-compiled', apiKey, { name: 'greeting' })) fetched++;
  };
  const writer = async (
    route: string,
    acknowledged: string[],
    of: (name: string) => object,
  ): Promise<never> => {
    for (let n = 0; ; n++) if (await post(route, access_token, of(`N_${n}`))) acknowledged.push(`N_${n}`);
  };
  const callers = [
    reader(),
    reader(),
    writer('/api/admin/prompts', created, (name) => ({ name, prompt: 'x' })),
    writer('/api/admin/secrets', secrets, (key) => ({ key, value: 'x' })),
  ].map((caller) => caller.catch(() => undefined));
  while (fetched < 30 || created.length < 10 || secrets.length < 10) await sleep(5);
  child.kill('SIGKILL');
  await Promise.all(callers);
  await gone();

  const again = await startInstance({ dataFolder, port: 0, sample: true, onLog: () => undefined });
  await again.settled();
  const counts = await usageOf(again.table, promptIdOf('greeting'), 2, new Date());
  const heads = await Promise.all(created.map((name) => readLiveHead(again.table, promptIdOf(name))));
  const kept = (await listSecrets(again.table)).map(({ key }) => key);
  await again.stop();
  expect(again.firstRun.apiKey).toBe(apiKey);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(fetched);
  expect(heads.map(({ name }) => name)).toEqual(created);
  expect(kept).toEqual(expect.arrayContaining(secrets));
});

test('what prevents a start is reported in one line with exit code 1', async () => {
  const first = start({ CUEVAULT_SAMPLE: '0' });
  expect(await greeting(first)).not.toContain('get-compiled');
  const firstRun: FirstRun = JSON.parse(readFileSync(path.join(dataFolder, 'first-run.json'), 'utf8'));
  const { post } = callsTo({ firstRun } as Instance);
  expect(await post('/api/vault/get-secrets', {})).toMatchObject({ status: 200, json: { res: {} } });
  expect(await post('/api/prompt/get-compiled', { name: 'greeting' })).toMatchObject({ status: 404 });
  const second = await ending(start());
  expect(second).toEqual({ code: 1, lines: [expect.stringMatching(/in use by process \d+/)] });
  await endRunner(first);
  // A lost KMS key is not replaced: nothing could open the secrets.
  rmSync(path.join(dataFolder, 'kms-key.json'));
  expect(await ending(start())).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/kms-key\.json is missing/)],
  });
});

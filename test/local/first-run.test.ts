import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { readVaultHead } from '../../lambdas/store/vault/head.ts';
import { daysAgo } from '../support/days.ts';
import { openInstance, type TestInstance } from '../support/instance.ts';
import { newFolder } from '../support/new-folder.ts';
import { changesOf } from '../support/rows/audit.ts';
import { newPrompt } from '../support/rows/prompts.ts';
import { changeAt } from '../support/rows/table.ts';
import { countRead, usageOf } from '../support/rows/usage.ts';
import { withServer } from '../support/server.ts';
import { authorizationRequest, createBrowser, requestTokens, signIn } from '../support/sign-in.ts';

const dataFolder = newFolder();
const file = path.join(dataFolder, 'first-run.json');
let instance: TestInstance;

const ISSUER = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oidc\/workloads$/);

const delivered: { readonly subject: string }[] = [];
const receiver = withServer(async (request, response) => {
  delivered.push((await json(request)) as (typeof delivered)[number]);
  response.end();
});

const start = async (port = 0): Promise<void> => {
  instance = await openInstance({ dataFolder, port, webhook: `${receiver.url}/` });
};

const recordsLeft = (): number => {
  const database = new DatabaseSync(path.join(dataFolder, 'table.sqlite'));
  const row = database.prepare('SELECT COUNT(*) AS count FROM _stream_records').get();
  database.close();
  return Number(row?.count);
};

const read = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;

beforeAll(async () => {
  // As an earlier start may have left it.
  writeFileSync(path.join(dataFolder, 'lock'), '');
  chmodSync(path.join(dataFolder, 'lock'), 0o644);
  await start();
});

afterAll(() => instance.stop());

test('the first start records address and key, readable only by the owner of the folder', () => {
  expect(read()).toEqual({
    url: instance.firstRun.url,
    apiKey: expect.stringMatching(/^cue_/),
    identityIssuer: ISSUER,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('only its owner can read the data folder and the files in it, also of one that an earlier start left open', () => {
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true });
  const modes = files.map((file) => [
    file.name,
    (statSync(path.join(file.parentPath, file.name)).mode & 0o777).toString(8),
  ]);
  expect(modes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['lock', 'table.sqlite', 'kms-key.json']),
  );
  expect(modes.filter(([, mode]) => mode !== '600' && mode !== '700')).toEqual([]);
});

test('a restart keeps key, operators, sessions and refresh tokens, consumes nothing again, continues to count, and announces a new value that every reader has had for a day', async () => {
  const { table, firstRun } = instance;
  const { url } = firstRun;
  const browser = createBrowser();
  const tokens = await signIn({ url, dataFolder }, 'editor@example.com', { browser });
  const { promptId } = await newPrompt(table);
  const { secretId } = await createSecret(table, changeAt(daysAgo(4)), { key: 'K', value: 'one', tags: [] });
  await updateSecret(table, changeAt(daysAgo(3)), secretId, { value: 'two' });
  const { revision } = await readVaultHead(table);
  await countRead(table, firstRun.apiKey.split('_')[1] ?? '', [secretId], daysAgo(2), revision);
  const fetchOnce = async () =>
    expect((await instance.post('/api/prompt/get-compiled', { promptId })).status).toBe(200);
  for (let n = 0; n < 3; n++) await fetchOnce();
  await instance.settled();
  const isOfPrompt = ({ subject }: { subject: string }) => subject === promptId;
  expect(delivered.filter(isOfPrompt)).toMatchObject([{ type: 'prompt.create' }]);
  const before = read();
  await instance.stop();
  expect(recordsLeft()).toBe(1);
  await start(Number(new URL(url).port));
  await fetchOnce();
  await instance.settled();
  expect(read()).toEqual(before);
  const { address } = authorizationRequest(url, { prompt: 'none' });
  expect((await browser.send(address)).headers.get('location')).toContain('code=');
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await requestTokens(url, form)).status).toBe(200);
  expect(delivered.filter(isOfPrompt)).toHaveLength(1);
  const counts = (await usageOf(instance.table, promptId, 2, new Date())).map(({ count }) => count);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
  const announced = (await changesOf(secretId, instance)).filter(
    ({ action }) => action === 'secret.received_by_all',
  );
  expect(new Set(announced.map(({ details }) => JSON.stringify(details)))).toEqual(
    new Set(['{"number":2,"received":1,"silent":[]}']),
  );
});

test('a file without a key gets one, and whoever was removed is an operator again', async () => {
  const { apiKey, url } = read();
  writeFileSync(file, JSON.stringify({ url }));
  await instance.stop();
  await start();
  expect(read()).toEqual({
    url: instance.firstRun.url,
    apiKey: instance.firstRun.apiKey,
    identityIssuer: ISSUER,
  });
  expect(instance.firstRun.apiKey).not.toBe(apiKey);
  expect(await signIn({ url: instance.firstRun.url, dataFolder }, 'viewer@example.com')).toHaveProperty(
    'access_token',
  );
});

test('an unreadable first-run.json is rejected with one line that names it', async () => {
  await instance.stop();
  for (const text of ['', 'null', '[]']) {
    writeFileSync(file, text);
    await expect(start()).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(file),
    });
  }
});

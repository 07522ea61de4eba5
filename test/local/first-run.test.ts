import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { readVaultHead } from '../../lambdas/store/vault/head.ts';
import { type Instance, startInstance } from '../../local/instance.ts';
import { daysAgo } from '../support/days.ts';
import { newFolder } from '../support/new-folder.ts';
import { changesOf } from '../support/rows/audit.ts';
import { changeAt } from '../support/rows/table.ts';
import { countRead } from '../support/rows/usage.ts';
import { authorizationRequest, createBrowser, requestTokens, signIn } from '../support/sign-in.ts';

const dataFolder = newFolder();
const file = path.join(dataFolder, 'first-run.json');
let instance: Instance;

const ISSUER = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/oidc\/workloads$/);

const start = async (port = 0): Promise<void> => {
  instance = await startInstance({ dataFolder, port, sample: false, onLog: () => {} });
};

const restart = async (port?: number): Promise<void> => {
  await instance.stop();
  await start(port);
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

test('a restart keeps key, operators, sessions and refresh tokens', async () => {
  const { url } = instance.firstRun;
  const browser = createBrowser();
  const tokens = await signIn({ url, dataFolder }, 'editor@example.com', { browser });
  const before = read();
  await restart(Number(new URL(url).port));
  expect(read()).toEqual(before);
  const { address } = authorizationRequest(url, { prompt: 'none' });
  expect((await browser.send(address)).headers.get('location')).toContain('code=');
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect((await requestTokens(url, form)).status).toBe(200);
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

test('a new value that every reader has had for a day is announced after a start', async () => {
  const { table } = instance;
  const { secretId } = await createSecret(table, changeAt(daysAgo(4)), { key: 'K', value: 'one', tags: [] });
  await updateSecret(table, changeAt(daysAgo(3)), secretId, { value: 'two' });
  const keyId = instance.firstRun.apiKey.split('_')[1] ?? '';
  const { revision } = await readVaultHead(table);
  await countRead(table, keyId, [secretId], daysAgo(2), revision);
  await restart();
  await instance.settled();
  const announced = (await changesOf(instance, secretId)).filter(
    ({ action }) => action === 'secret.received_by_all',
  );
  expect(new Set(announced.map(({ details }) => JSON.stringify(details)))).toEqual(
    new Set(['{"number":2,"received":1,"silent":[]}']),
  );
});

test('a file without a key gets one, and whoever was removed is an operator again', async () => {
  const { apiKey, url } = read();
  writeFileSync(file, JSON.stringify({ url }));
  await restart();
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
  const notes = readFileSync(file, 'utf8');
  await instance.stop();
  for (const text of ['', '{', 'null', '[]']) {
    writeFileSync(file, text);
    const refused = await startInstance({ dataFolder, port: 0, sample: false, onLog: () => {} }).then(
      (started) => started.stop(),
      (error: unknown) => error,
    );
    expect({ text, refused }).toMatchObject({
      text,
      refused: { name: 'StartError', message: expect.stringContaining(file) },
    });
  }
  writeFileSync(file, notes);
  await start();
});

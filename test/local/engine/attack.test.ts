import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { headKey } from '../../../lambdas/store/prompts/head.ts';
import { deletePrompt } from '../../../lambdas/store/prompts/lifecycle.ts';
import { versionKey } from '../../../lambdas/store/prompts/versions.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { type Connection, getItem, type Item, type Key, putItem } from '../../../lambdas/store/table.ts';
import { TABLE_NAME } from '../../../local/aws/account.ts';
import { createFaults, isOn } from '../../support/aws/faults.ts';
import { daysAgo } from '../../support/days.ts';
import { instance, withOpenInstance } from '../../support/instance.ts';
import { processesWith } from '../../support/processes/process.ts';
import { allItems, changeAt } from '../../support/rows/table.ts';
import { aPrompt, aSecret } from '../../support/scenarios/admin-world.ts';

// Another user of the same machine: finds the engine in the list of processes and calls it with any signature.

const SECRET_VALUE = 'first value';

let table: Connection;
const faults = createFaults();
withOpenInstance({ hooks: { intercept: faults.intercept } });
beforeAll(async () => {
  const [engine = ''] = processesWith(instance.dataFolder).filter((line) => line.includes('--port'));
  const [, host, port] = /--host (\S+) --port (\d+)/.exec(engine) ?? [];
  const client = new DynamoDBClient({
    endpoint: `http://${host}:${port}`,
    region: 'anywhere',
    credentials: { accessKeyId: 'MALLORY', secretAccessKey: 'anything' },
  });
  table = { client, name: TABLE_NAME };
});
afterAll(async () => {
  table.client.destroy();
});

const read = async (key: Key): Promise<Item> => (await getItem(table, key)) ?? {};
const write = (item: Item) => putItem(table, item);

/** Changes a row as the attacker, for the duration of an attempt. */
const whileChanged = async (key: Key, changes: Item, attempt: () => Promise<void>): Promise<void> => {
  const before = await read(key);
  expect(before).not.toEqual({});
  await write({ ...before, ...changes });
  await attempt();
  await write(before);
};

/** The call is refused, releases nothing, and the log names the row. */
const expectRefused = async (body: object, { pk, sk }: Key): Promise<void> => {
  const reply = await instance.post(GET_PROMPT, body);
  expect([reply.status, reply.code, reply.json.res]).toEqual([500, 'integrity', null]);
  expect(instance.logs.join('')).toContain(`The row ${pk} / ${sk} is refused`);
};

const GET_PROMPT = '/api/prompt/get-compiled';

test('the attacker reads the table, but no value of a secret and no API key', async () => {
  await aSecret();
  const items = await allItems(table);
  expect(items.length).toBeGreaterThan(0);
  const everything = items
    .flatMap((item) =>
      Object.values(item).map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value),
      ),
    )
    .join('\n');
  expect(everything).not.toContain(SECRET_VALUE);
  expect(everything).not.toContain(instance.firstRun.apiKey);
});

test('a changed prompt, a moved label and a planted version are not served', async () => {
  const { promptId } = await aPrompt();
  const version = versionKey(promptId, '1.1.0');
  await whileChanged(version, { prompt: 'planted' }, () => expectRefused({ promptId }, version));
  const labels = [{ label: 'production', version: '1.0.0' }];
  await whileChanged(headKey(promptId), { labels }, () =>
    expectRefused({ promptId, label: 'production' }, headKey(promptId)),
  );
  const planted = versionKey(promptId, '2.0.0');
  await write({ ...(await read(version)), ...planted, version: '2.0.0', prompt: 'planted' });
  await expectRefused({ promptId, version: '2.0.0' }, planted);
  expect((await instance.post(GET_PROMPT, { promptId })).json.res).toMatchObject({ prompt: 'Hi {{user}}' });
});

test('the purge fails loudly at rows that do not verify: they count as refused, for the alarm', async () => {
  const old = changeAt(daysAgo(10));
  const { promptId } = await aPrompt();
  await deletePrompt(instance.table, old, promptId);
  await whileChanged(headKey(promptId), { name: 'forged' }, async () => {
    expect(await instance.invoke('table-purge', {})).toHaveProperty('failure');
  });
  const isCounted = (line: string) =>
    line.includes(`The row ${headKey(promptId).pk} / HEAD is refused`) &&
    line.includes('"IntegrityFailures":1');
  // The log of a function arrives separately from its reply.
  while (!instance.logs.join('').split('\n').some(isCounted)) await setImmediate();
});

const VALUE = 'canary-value-7f3a91c0d2';

const inAllForms = (text: string): string[] => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex'),
];

test('secret values and API keys never appear in logs, errors or files', async () => {
  const { table: vault } = instance;
  const { apiKey, keyId } = await instance.newKey();
  const failures: string[] = [];
  const read = async (body: unknown, expected: number) => {
    const reply = await instance.post('/api/vault/get-secrets', body, apiKey);
    expect(reply.status).toBe(expected);
    if (expected !== 200) failures.push(reply.text, JSON.stringify([...reply.headers]));
  };

  const { secretId } = await createSecret(vault, changeAt(), { key: 'CANARY', value: VALUE, tags: ['t'] });
  await updateSecret(vault, changeAt(), secretId, { value: `${VALUE}-second` });
  await read({}, 200);
  await rollbackSecret(vault, changeAt(), secretId, 1);
  await importSecrets(vault, changeAt(), [{ key: 'CANARY', value: `${VALUE}-third` }]);
  await deleteSecret(vault, changeAt(), secretId);
  await read({ key: 'CANARY' }, 404);
  await restoreSecret(vault, changeAt(), secretId);
  await instance.invoke('vault-rotate', {});
  await read({ key: 'CANARY' }, 200);
  await read({ key: VALUE.repeat(30) }, 400);
  for (const hits of [
    isOn('PutItem', 'AUDIT-READ#'),
    isOn('GetItem', 'VAULT#'),
    isOn('UpdateItem', 'VAULTUSE#'),
  ]) {
    // Not a throttled read: after one, the container may use the key for up to a second after its revocation.
    faults.set(hits, 'com.amazonaws.dynamodb.v20120810#InternalServerError');
    await instance.post('/api/vault/get-secrets', {}, apiKey).then(({ text, status }) => {
      if (status !== 200) failures.push(text);
    });
  }
  faults.set(undefined);
  await revokeApiKey(vault, changeAt(), keyId);
  await read({}, 401);

  const files = readdirSync(instance.dataFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file !== 'first-run.json' && statSync(path.join(instance.dataFolder, file)).isFile())
    .map((file) => ({ file, bytes: readFileSync(path.join(instance.dataFolder, file)) }));
  expect(files.some(({ file, bytes }) => file.startsWith('table.sqlite') && bytes.length > 10_000)).toBe(
    true,
  );
  const places = [
    ...files.map(({ file, bytes }) => ({ place: file, text: bytes.toString('latin1') })),
    { place: 'logs', text: instance.logs.join('') },
    { place: 'failures', text: failures.join('\n') },
  ];
  const found = places.flatMap(({ place, text }) =>
    [...inAllForms(VALUE), ...inAllForms(apiKey.slice(13))]
      .filter((form) => text.includes(form))
      .map((form) => `${form} in ${place}`),
  );
  expect(found).toEqual([]);
});

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { revokeApiKey } from '../../lambdas/store/api-keys/api-keys.ts';
import { importSecrets } from '../../lambdas/store/secrets/import.ts';
import { deleteSecret, restoreSecret } from '../../lambdas/store/secrets/removals.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../lambdas/store/secrets/secrets.ts';
import { createFaults, isOn } from '../support/aws/faults.ts';
import { openInstance } from '../support/instance.ts';
import { changeAt } from '../support/rows/table.ts';

const VALUE = 'canary-value-7f3a91c0d2';

const inAllForms = (text: string): string[] => [
  text,
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
  Buffer.from(text).toString('hex'),
];

test('secret values and API keys never appear in logs, errors or files', async () => {
  const faults = createFaults();
  const instance = await openInstance({ hooks: { intercept: faults.intercept } });
  const { table } = instance;
  const { apiKey, keyId } = await instance.newKey();
  const failures: string[] = [];
  const read = async (body: unknown, expected: number) => {
    const reply = await instance.post('/api/vault/get-secrets', body, apiKey);
    expect(reply.status).toBe(expected);
    if (expected !== 200) failures.push(reply.text, JSON.stringify([...reply.headers]));
  };

  const { secretId } = await createSecret(table, changeAt(), { key: 'CANARY', value: VALUE, tags: ['t'] });
  await updateSecret(table, changeAt(), secretId, { value: `${VALUE}-second` });
  await read({}, 200);
  await rollbackSecret(table, changeAt(), secretId, 1);
  await importSecrets(table, changeAt(), [{ key: 'CANARY', value: `${VALUE}-third` }]);
  await deleteSecret(table, changeAt(), secretId);
  await read({ key: 'CANARY' }, 404);
  await restoreSecret(table, changeAt(), secretId);
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
  await revokeApiKey(table, changeAt(), keyId);
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
  await instance.stop();
  const found = places.flatMap(({ place, text }) =>
    [...inAllForms(VALUE), ...inAllForms(apiKey.slice(13))]
      .filter((form) => text.includes(form))
      .map((form) => `${form} in ${place}`),
  );
  expect(found).toEqual([]);
});

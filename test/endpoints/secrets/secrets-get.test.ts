import { revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { deleteSecret } from '../../../lambdas/store/secrets/removals.ts';
import { rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { expectNothingLogged, SECRET_MARKER, secretValue, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { readSecrets } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

const got = (secretId: string) => ask(instance, 'secrets-get', { params: { secretId } });

test('a secret lists its earlier values newest first, without their contents', async () => {
  const secret = await storeSecret(instance, { tags: ['a'] });
  const { secretId } = secret;
  expect(await got(secretId)).toMatchObject({ secret, lastRead: null, values: [] });
  for (const n of [2, 3]) await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(n) });
  await rollbackSecret(instance.table, changeAt(), secretId, 1);
  const reply = await send(instance, 'secrets-get', { params: { secretId } });
  expect(reply.text).not.toContain(SECRET_MARKER);
  expect(reply.json.res.secret).toMatchObject({ number: 1, createdAt: secret.createdAt });
  expect(reply.json.res.values).toEqual(
    [3, 2].map((number) => ({
      ...{ number, changedBy: 'operator@example.com' },
      ...{ changedAt: expect.any(String), replacedAt: expect.any(String) },
    })),
  );
  await got(secretId);
});

test('its readers are the API keys that can read it or did, each with the last value it got, and the last is named', async () => {
  const { secretId, key } = await storeSecret(instance, { tags: ['prod', 'db'] });
  const early = await readSecrets(instance, { key }, 'early');
  await updateSecret(instance.table, changeAt(), secretId, { value: secretValue(2) });
  const late = await readSecrets(instance, { tags: ['db'] }, 'late');
  const able = await instance.newKey({ permissions: ['secrets'], tags: ['prod'], name: 'able' });
  const others = [
    await instance.newKey({ permissions: ['secrets'], tags: ['prod', 'other'] }),
    await instance.newKey({ permissions: ['prompts'] }),
  ];
  await revokeApiKey(instance.table, changeAt(), early.keyId);
  const { readers, lastRead } = await got(secretId);
  expect(lastRead).toEqual({ at: expect.any(String), apiKeyId: late.keyId, apiKeyName: 'late' });
  const reader = (id: string) => readers.find(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === id);
  const lastAt = expect.any(String);
  expect(readers[0].apiKeyId).toBe(late.keyId);
  expect(reader(late.keyId)).toMatchObject({ allowed: true, reads: 1, lastAt, number: 2 });
  expect(reader(early.keyId)).toMatchObject({ allowed: false, reads: 1, lastAt, number: 1 });
  expect(reader(able.keyId)).toMatchObject({ allowed: true, reads: 0, lastAt: null, number: null });
  for (const { keyId } of others) expect(reader(keyId)).toBeUndefined();
});

test('a missing or deleted secret is not found', async () => {
  const { secretId } = await storeSecret(instance);
  await deleteSecret(instance.table, changeAt(), secretId);
  for (const id of [secretId, 'unknown', '__proto__', 'a?b%00']) {
    expect(
      await refused(instance, 'secrets-get', 'secret_not_found', { params: { secretId: id } }),
    ).toContain(id);
  }
  await refused(instance, 'secrets-get', 'invalid_request', { params: { secretId: 'x'.repeat(65) } });
  expectNothingLogged(instance);
});

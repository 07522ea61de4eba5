import { createApiKey, revokeApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { ask, send } from '../../support/admin.ts';
import { daysAgo } from '../../support/days.ts';
import { newPrompt } from '../../support/rows/prompts.ts';
import { SECRET_MARKER, secretValue, storeSecret } from '../../support/rows/secrets.ts';
import { changeAt } from '../../support/rows/table.ts';
import { countRead, countUses } from '../../support/rows/usage.ts';
import { instance, withOwnInstance } from '../../support/shared/instance.ts';

withOwnInstance();

test('a revoked key still says what it could read, what it read and why it was refused', async () => {
  const { table } = instance;
  const fetched = await newPrompt(table);
  const other = await newPrompt(table);
  const read = await storeSecret(instance, { key: 'READ', tags: ['one'] });
  await storeSecret(instance, { key: 'ALLOWED', tags: ['one', 'two'] });
  await storeSecret(instance, { key: 'HIDDEN' });
  const { keyId, apiKey } = await instance.newKey({
    name: 'leaked',
    tags: ['one'],
    prompts: [fetched.name],
  });
  const use = { promptId: fetched.promptId, version: '1.0.0', apiKeyId: keyId };
  await countUses(table, use, new Date(), 3);
  await countUses(table, { ...use, promptId: other.promptId, apiKeyId: 'another' }, new Date());
  await countRead(table, keyId, [read.secretId], new Date());
  await countRead(table, 'another', [read.secretId], daysAgo(1));
  await instance.post('/api/vault/get-secrets', { key: 'HIDDEN' }, apiKey);
  await revokeApiKey(table, changeAt(), keyId);
  const { text, json } = await send(instance, 'keys-get', { params: { keyId }, groups: ['viewer'] });
  expect(json.res).toMatchObject({
    key: { keyId, status: 'revoked' },
    prompts: { allowed: 1, total: 2, unread: { total: 0, first: [] } },
    secrets: { allowed: 2, total: 3, unread: { total: 1, first: ['ALLOWED'] } },
    fetched: [{ promptId: fetched.promptId, name: fetched.name, fetches: 3 }],
    read: [{ secretId: read.secretId, key: 'READ', reads: 1 }],
    refused: [{ reason: 'tags', asked: 'HIDDEN' }],
  });
  expect(text).not.toContain(SECRET_MARKER);
});

test('what a revoked key read is listed weeks after the revocation', async () => {
  const { table } = instance;
  const { secretId } = await storeSecret(instance, { key: 'KNOWN' });
  const { record } = await createApiKey(table, changeAt(daysAgo(60)), {
    name: 'long gone',
    permissions: ['secrets'],
  });
  await countRead(table, record.keyId, [secretId], daysAgo(50));
  await revokeApiKey(table, changeAt(daysAgo(45)), record.keyId);
  const { read } = await ask(instance, 'keys-get', { params: { keyId: record.keyId } });
  expect(read).toMatchObject([{ secretId, reads: 1 }]);
});

test('a value counts as known until a new one is saved after the last read and the revocation', async () => {
  const { table } = instance;
  const at = daysAgo(9);
  const permissions = ['secrets'] as const;
  const { secretId } = await storeSecret(instance, { key: 'ROTATED', at });
  const rolledBack = await storeSecret(instance, { key: 'ROLLED_BACK', at });
  const { record } = await createApiKey(table, changeAt(at), { name: 'found', permissions });
  const params = { keyId: record.keyId };
  const known = async () =>
    (await ask(instance, 'keys-get', { params })).read.map((each: { known: boolean }) => each.known);
  const rotate = (id: string, days: number) =>
    updateSecret(table, changeAt(daysAgo(days)), id, { value: secretValue(days) });
  await countRead(table, record.keyId, [secretId, rolledBack.secretId], daysAgo(7));
  await rotate(secretId, 6);
  expect(await known()).toEqual([true, false]);
  await revokeApiKey(table, changeAt(daysAgo(5)), record.keyId);
  expect(await known()).toEqual([true, true]);
  await rotate(secretId, 4);
  await rotate(rolledBack.secretId, 4);
  expect(await known()).toEqual([false, false]);
  await rollbackSecret(table, changeAt(daysAgo(3)), rolledBack.secretId, 1);
  expect(await known()).toEqual([true, false]);
});

test('a key without a permission may read nothing of that kind', async () => {
  const { keyId } = await instance.newKey({ permissions: ['prompts'] });
  expect(await ask(instance, 'keys-get', { params: { keyId } })).toMatchObject({ secrets: { allowed: 0 } });
});

test('what a key with some limits would reach is computed as for a key that has them', async () => {
  const { name } = await newPrompt(instance.table);
  await storeSecret(instance, { key: 'REACHED', tags: ['reached', 'llm'] });
  await storeSecret(instance, { key: 'OTHER', tags: ['llm'] });
  const limits = { permissions: ['prompts', 'secrets'], prompts: [name], tags: ['reached'] } as const;
  const { keyId } = await instance.newKey({ name: 'reaching', ...limits });
  const { prompts, secrets } = await ask(instance, 'keys-get', { params: { keyId } });
  const reach = (body: object) => ask(instance, 'keys-reach', { body, groups: ['viewer'] });
  expect(await reach(limits)).toEqual({
    prompts: { allowed: 1, total: prompts.total, first: [name] },
    secrets: { allowed: 1, total: secrets.total, first: ['REACHED'] },
  });
  expect([prompts.allowed, secrets.allowed]).toEqual([1, 1]);
  const publishing = await reach({ ...limits, permissions: ['publish'] });
  expect([publishing.prompts.allowed, publishing.secrets.allowed]).toEqual([1, 0]);
  const elsewhere = await reach({ ...limits, environments: ['nowhere'] });
  expect(elsewhere.secrets).toMatchObject({ allowed: 0, first: [] });
});

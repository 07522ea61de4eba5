import { createApiKey } from '../../../lambdas/store/api-keys/api-keys.ts';
import { ask, refused, send } from '../../support/admin.ts';
import { changesBy } from '../../support/rows/audit.ts';
import { changeAt } from '../../support/rows/table.ts';
import { aPrompt } from '../../support/scenarios/admin-world.ts';
import { instance, withSharedInstance } from '../../support/shared/instance.ts';

withSharedInstance();

test('both endpoints reject the next request with a revoked key; other keys still work', async () => {
  const { apiKey, keyId } = await instance.newKey({ name: 'leaked' });
  const { promptId } = await aPrompt(instance);
  const codes = async (key: string) => [
    (await instance.post('/api/prompt/get-compiled', { promptId }, key)).status,
    (await instance.post('/api/vault/get-secrets', {}, key)).status,
  ];
  // Warm containers that have just accepted it must reject it too.
  expect(await codes(apiKey)).toEqual([200, 200]);
  const { key } = await ask(instance, 'keys-revoke', { params: { keyId } });
  expect(await codes(apiKey)).toEqual([401, 401]);
  expect(await codes(instance.firstRun.apiKey)).toEqual([200, 200]);
  expect(key).toMatchObject({
    ...{ keyId, name: 'leaked', status: 'revoked', createdBy: 'operator@example.com' },
    ...{ revokedAt: expect.any(String), revokedBy: 'admin@example.com' },
  });
  const { keys } = await ask(instance, 'keys-list', { query: { status: 'revoked', q: keyId } });
  expect(keys).toEqual([expect.objectContaining(key)]);
});

test('the audit log records once who revoked it, however often it is revoked', async () => {
  const { keyId } = await instance.newKey({ name: 'twice' });
  const params = { keyId };
  const first = await ask(instance, 'keys-revoke', { params });
  expect(await ask(instance, 'keys-revoke', { params })).toEqual(first);
  const changes = (await changesBy(instance, ['admin'])).filter(({ subject }) => subject === keyId);
  expect(changes).toEqual([expect.objectContaining({ action: 'api-key.revoke', name: 'twice' })]);
});

test('after concurrent revocations the key no longer works for anyone', async () => {
  const { apiKey, keyId } = await instance.newKey();
  const replies = await Promise.all(
    [1, 2, 3].map(() => send(instance, 'keys-revoke', { params: { keyId } })),
  );
  for (const { status, code } of replies)
    expect([null, 'changed_meanwhile']).toContain(status === 200 ? null : code);
  expect(replies.map(({ status }) => status)).toContain(200);
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(401);
});

test('a key that has expired can be revoked too', async () => {
  const { record } = await createApiKey(instance.table, changeAt(new Date('2026-01-01T00:00:00Z')), {
    ...{ name: 'expired', permissions: ['prompts'], expiresAt: '2026-01-02T00:00:00Z' },
  });
  const { key } = await ask(instance, 'keys-revoke', { params: { keyId: record.keyId } });
  expect(key).toMatchObject({ status: 'revoked', expiresAt: '2026-01-02T00:00:00Z' });
});

test('a key is revoked by id; the key itself is not an id', async () => {
  const { apiKey } = await instance.newKey();
  for (const keyId of ['unknown0', apiKey, '__proto__']) {
    await refused(instance, 'keys-revoke', 'api_key_not_found', { params: { keyId } });
  }
  expect((await instance.post('/api/vault/get-secrets', {}, apiKey)).status).toBe(200);
});

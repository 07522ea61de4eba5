import { ask, refused } from '../support/admin.ts';
import { emailOf } from '../support/operators.ts';
import { changesBy } from '../support/rows/audit.ts';
import { released, storeSecret } from '../support/rows/secrets.ts';
import { instance, withOwnInstance } from '../support/shared/instance.ts';

// An instance of its own: every other test reads secrets, and only the first rotation is never too early.
withOwnInstance();

const BY_ADMIN = ['admin'];
const vaultNow = async () => (await ask(instance, 'vault-get', { groups: ['viewer'] })).vault;

test('an installation begins with the environment default', async () => {
  const { environments } = await ask(instance, 'environments-list', { groups: ['viewer'] });
  expect(environments).toEqual([
    { name: 'default', isCritical: false, isNew: false, secrets: expect.any(Number), stopped: null },
  ]);
});

test('returns the current revision and that secrets are released', async () => {
  const { revision } = await vaultNow();
  await storeSecret(instance);
  expect(await vaultNow()).toMatchObject({
    stopped: null,
    changedBy: expect.any(String),
    revision: revision + 1,
  });
});

test('lists revisions newest first, each with the change that made it', async () => {
  const { key } = await storeSecret(instance);
  const { revisions, total } = await ask(instance, 'revisions-list', { groups: ['viewer'] });
  expect(total).toBeGreaterThanOrEqual(revisions.length);
  const row = revisions.find(({ change }: { change: { name: string } | null }) => change?.name === key);
  expect(row).toMatchObject({ change: { action: 'secret.create' }, changedBy: 'operator@example.com' });
  const numbers = revisions.map(({ revision }: { revision: number }) => revision);
  expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
});

test('an administrator replaces the key pair immediately, and every value is re-encrypted and still released', async () => {
  const { key } = await storeSecret(instance);
  const before = await released(instance, key);
  const { keyVersion } = await vaultNow();
  const stranger = keyVersion + 1;
  await refused(instance, 'rotation-start', 'changed_meanwhile', { body: { keyVersion: stranger } });
  expect(await changesBy(instance, BY_ADMIN)).toEqual([]);

  expect(await ask(instance, 'rotation-start', { body: { keyVersion } })).toEqual({ keyVersion });
  await instance.settled();
  expect(await vaultNow()).toMatchObject({ keyVersion: keyVersion + 1, reencrypted: true });
  expect(await released(instance, key)).toBe(before);
  expect(await changesBy(instance, BY_ADMIN)).toMatchObject([
    { action: 'vault.request-rotation', actor: emailOf(BY_ADMIN), details: { keyVersion } },
  ]);

  // A repeated request names the key pair that was replaced; a new one is too early.
  await refused(instance, 'rotation-start', 'changed_meanwhile', { body: { keyVersion } });
  await refused(instance, 'rotation-start', 'rotated_recently', { body: { keyVersion: keyVersion + 1 } });
  await instance.settled();
  expect(await vaultNow()).toMatchObject({ keyVersion: keyVersion + 1 });
});

test('an administrator stops serving secrets and allows them again, and both are in the audit log', async () => {
  const read = () => instance.post('/api/vault/get-secrets', {});
  expect((await read()).status).toBe(200);
  await refused(instance, 'serving-set', 'invalid_request', { body: { allowed: false } });
  const body = { allowed: false, reason: 'The key ci leaked.' };
  const { vault } = await ask(instance, 'serving-set', { body });
  expect(vault.stopped).toEqual({
    at: expect.any(String),
    by: 'admin@example.com',
    reason: 'The key ci leaked.',
  });
  expect(await read()).toMatchObject({ status: 403, code: 'vault_stopped', json: { res: null } });
  expect(await vaultNow()).toEqual(vault);
  expect((await ask(instance, 'serving-set', { body: { allowed: true } })).vault.stopped).toBeNull();
  expect((await read()).status).toBe(200);
  const changes = (await changesBy(instance, BY_ADMIN)).map(({ action, details }) => [action, details]);
  expect(changes.slice(0, 2)).toEqual([
    ['vault.start', {}],
    ['vault.stop', { reason: 'The key ci leaked.' }],
  ]);
});

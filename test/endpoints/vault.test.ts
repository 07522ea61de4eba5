import type { AwsCall } from '../../local/aws/services.ts';
import { ask, column, refused } from '../support/admin.ts';
import { instance, withOpenInstance } from '../support/instance.ts';
import { changesBy } from '../support/rows/audit.ts';
import { released, storeSecret } from '../support/rows/secrets.ts';

// An instance of its own: restoring affects every secret, and only the first rotation is never too early.
/** What another operator does just before a restored revision is written. */
let meanwhile: (() => Promise<unknown>) | undefined;
const before = async ({ operationId, target }: AwsCall) => {
  if (operationId !== 'revisions-restore' || !target.endsWith('.TransactWriteItems')) return;
  const other = meanwhile;
  meanwhile = undefined;
  await other?.();
};
withOpenInstance({ hooks: { before } });

const ADMIN = 'admin@example.com';
const vaultNow = async () => (await ask('vault-get', {}, 'viewer')).vault;
const changes = async () => (await changesBy(['admin'])).map(({ action, details }) => [action, details]);

test('an installation begins with the environment default, and each change is a revision, listed newest first', async () => {
  const secrets = expect.any(Number);
  expect((await ask('environments-list', {}, 'viewer')).environments).toEqual([
    { name: 'default', isCritical: false, isNew: false, secrets, stopped: null },
  ]);
  const { revision } = await vaultNow();
  const { key } = await storeSecret();
  const changedBy = 'operator@example.com';
  expect(await vaultNow()).toMatchObject({ stopped: null, changedBy, revision: revision + 1 });
  const { revisions, total } = await ask('revisions-list', {}, 'viewer');
  expect(total).toBe(revisions.length);
  expect(revisions[0]).toMatchObject({ change: { action: 'secret.create', name: key }, changedBy });
  expect(revisions.at(-1)).toMatchObject({ change: { action: 'vault.create' }, revision: 1 });
  expect(column(revisions, 'revision')).toEqual(Array.from(revisions, (_, i) => revision + 1 - i));
});

test('an administrator replaces the key pair immediately, and every value is re-encrypted and still released', async () => {
  const { key } = await storeSecret();
  const value = await released(key);
  const { keyVersion } = await vaultNow();
  await refused('rotation-start', 'changed_meanwhile', { keyVersion: keyVersion + 1 });
  expect(await changes()).toEqual([]);
  expect(await ask('rotation-start', { keyVersion })).toEqual({ keyVersion });
  await instance.settled();
  expect(await vaultNow()).toMatchObject({ keyVersion: keyVersion + 1, reencrypted: true });
  expect(await released(key)).toBe(value);
  expect(await changes()).toEqual([['vault.request-rotation', { keyVersion }]]);
  // A repeated request names the key pair that was replaced; a new one is too early.
  await refused('rotation-start', 'changed_meanwhile', { keyVersion });
  await refused('rotation-start', 'rotated_recently', { keyVersion: keyVersion + 1 });
  await instance.settled();
  expect(await vaultNow()).toMatchObject({ keyVersion: keyVersion + 1 });
});

test('an administrator stops serving secrets and allows them again, and both are in the audit log', async () => {
  const read = () => instance.post('/api/vault/get-secrets', {});
  expect((await read()).status).toBe(200);
  await refused('serving-set', 'invalid_request', { allowed: false });
  const reason = 'The key ci leaked.';
  const { vault } = await ask('serving-set', { allowed: false, reason });
  expect(vault.stopped).toEqual({ at: expect.any(String), by: ADMIN, reason });
  expect(await read()).toMatchObject({ status: 403, code: 'vault_stopped', json: { res: null } });
  expect(await vaultNow()).toEqual(vault);
  expect((await ask('serving-set', { allowed: true })).vault.stopped).toBeNull();
  expect((await read()).status).toBe(200);
  expect((await changes()).slice(0, 2)).toEqual([
    ['vault.start', {}],
    ['vault.stop', { reason }],
  ]);
});

const revisionNow = async () => (await vaultNow()).revision;
/** A secret, the revision that has its first value, and what restores it. */
const replaced = async () => {
  const { secretId, key } = await storeSecret({ value: 'first' });
  const revision = await revisionNow();
  await ask('secrets-update', { secretId, value: 'second' });
  const restore = (fields: object = {}) => ask('revisions-restore', { revision, ...fields });
  return { secretId, key, revision, restore };
};

test('an administrator sees what a revision would change, also to a credential that is recorded as switched off, and restores it', async () => {
  const { secretId, key, revision, restore } = await replaced();
  await ask('secrets-update', { secretId, switchedOffUpTo: 1 });
  await ask('secrets-create', { key: 'LATER', value: 'x' });
  await instance.newKey({ name: 'reader', permissions: ['secrets'] });
  const readers = expect.arrayContaining(['reader']);
  expect(await restore({ dryRun: true })).toEqual({
    revision: null,
    returning: [],
    removed: ['LATER'],
    changed: [key],
    switchedOff: [key],
    readers,
  });
  expect(await released(key)).toBe('second');
  expect((await restore()).revision).toBe(revision + 4);
  expect([await released(key), await released('LATER')]).toEqual(['first', undefined]);
  expect((await changes())[0]).toEqual(['vault.restore-revision', { revision, switchedOff: [key] }]);
});

test('a revision that gives a restricted key more secrets needs confirmation, and an unknown one does not exist', async () => {
  const { secretId } = await storeSecret({ tags: ['restored'] });
  const revision = await revisionNow();
  await ask('secrets-update', { secretId, tags: [] });
  await instance.newKey({ tags: ['restored'], name: 'reporting' });
  expect(await refused('revisions-restore', 'would_widen_access', { revision })).toContain('"reporting"');
  await ask('revisions-restore', { revision, confirm: true });
  await refused('revisions-restore', 'value_not_found', { revision: 999 });
});

test('only the expected revision is replaced, even if another one is made while it is restored', async () => {
  const { key, revision, restore } = await replaced();
  meanwhile = () => ask('secrets-create', { key: 'MEANWHILE', value: 'x' });
  const late = { revision, current: revision + 1 };
  expect(await refused('revisions-restore', 'changed_meanwhile', late)).toContain(
    `revision ${revision + 2} is current`,
  );
  expect(meanwhile).toBeUndefined();
  const values = async () => [await released(key), await released('MEANWHILE')];
  expect(await values()).toEqual(['second', 'x']);
  expect((await restore({ current: revision + 2 })).revision).toBe(revision + 3);
  expect(await values()).toEqual(['first', undefined]);
});

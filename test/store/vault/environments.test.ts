import { LIMITS } from '../../../contract/limits.ts';
import { createDecryptor } from '../../../lambdas/store/secrets/opened.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { listDeletedSecrets, listSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import { putItem } from '../../../lambdas/store/table.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { newEnvironment, readEnvironments } from '../../../lambdas/store/vault/environments.ts';
import { VAULT_HEAD, vaultHeadKey } from '../../../lambdas/store/vault/head.ts';
import { allEntries } from '../../../lambdas/store/vault/locations.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { setEnvironments } from '../../../lambdas/store/vault/set-environments.ts';
import { type Vault, vaultIn } from '../../../lambdas/store/vault/vault.ts';
import { everyVault } from '../../../lambdas/store/vault/vaults.ts';
import { listKeyPairs } from '../../../lambdas/store/vault-keys/all-key-pairs.ts';
import { VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { createVaults } from '../../../lambdas/store/vault-keys/rotation.ts';
import { newApiKey } from '../../support/rows/api-keys.ts';
import { addEnvironments } from '../../support/rows/environments.ts';
import { changeAt, expectRefused } from '../../support/rows/table.ts';
import { editRow, resignRow } from '../../support/rows/tampering.ts';
import {
  asking,
  day,
  headOf,
  kms,
  rotate,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const ROW = { pk: 'VAULT#', sk: 'ENVIRONMENTS' };

const addStaging = async (at = day(0)): Promise<Vault> => {
  const [staging = table] = await addEnvironments(table, kms, ['staging'], at);
  return staging;
};

const set = (names: readonly string[], at = day(0), revision?: number) =>
  setEnvironments(table, changeAt(at), { environments: ['default', ...names], revision });

const valuesIn = async (environment?: string) => {
  const reader = createVaultReader(table, kms);
  return { ...(await reader.read(await reader.head(environment), { ...asking(), environment })) };
};

test('until the job has run, a new environment is unavailable; then it is empty, and its mark is gone', async () => {
  await set(['staging']);
  await expectRefused(valuesIn('staging'), 'unavailable');
  await expectRefused(secretsOn(0, vaultIn(table, 'staging')).create('K', 'v'), 'unavailable');
  expect(await createVaults(table, kms, day(0))).toEqual(['staging']);
  expect(await createVaults(table, kms, day(0))).toEqual([]);
  expect((await readEnvironments(table)).environments).toEqual([
    newEnvironment('default'),
    newEnvironment('staging'),
  ]);
  expect(await valuesIn('staging')).toEqual({});
});

test('a head that was deleted is an integrity error, and neither the job nor a change makes an empty vault of it', async () => {
  const staging = await addStaging();
  await secretsOn(0, staging).create('K', 'v');
  await deleteItem(table, vaultHeadKey(staging));
  await expectRefused(valuesIn('staging'), 'integrity');
  expect(await createVaults(table, kms, day(1))).toEqual([]);
  await expectRefused(set([]), 'integrity');
  await expectRefused(valuesIn('staging'), 'integrity');
});

test('someone who can only write to the table cannot mark an environment as new', async () => {
  const staging = await addStaging();
  await deleteItem(table, vaultHeadKey(staging));
  await editRow(table, ROW, {
    environments: JSON.stringify([{ name: 'default' }, { name: 'staging', state: 'new' }]),
  });
  await expectRefused(createVaults(table, kms, day(1)), 'integrity');
  await deleteItem(table, ROW);
  await expectRefused(createVaults(table, kms, day(1)), 'integrity');
});

test('only an empty environment is removed; then it is not found, and comes back with its revisions', async () => {
  const staging = await addStaging();
  const { secretId } = await secretsOn(1, staging).create('K', 'v');
  await expectRefused(set([]), 'environment_not_empty', '"staging"');
  await secretsOn(1, staging).remove(secretId);
  const { revision } = await headOf(staging);
  await set([], day(2));
  for (const refused of [
    () => valuesIn('staging'),
    () => valuesIn('never'),
    () => secretsOn(0, staging).create('K', 'v'),
    () => listSecrets(staging),
  ])
    await expectRefused(refused(), 'environment_not_found');
  await set(['staging'], day(3));
  expect((await headOf(staging)).revision).toBe(revision + 2);
  expect(await createVaults(table, kms, day(3))).toEqual([]);
  await secretsOn(4, staging).restore(secretId);
  expect(await valuesIn('staging')).toEqual({ K: 'v' });
});

test('rotation and purge reach every environment, also a removed one', async () => {
  const staging = await addStaging();
  const { secretId } = await secretsOn(0, staging).create('K', 'v');
  await secretsOn(0).create('K', 'w');
  for (const vault of await everyVault(table))
    expect(await rotate(90, undefined, vault)).toMatchObject({
      keyVersion: 2,
      rotated: true,
      reencrypted: 1,
      unopened: [],
    });
  expect(await valuesIn('staging')).toEqual({ K: 'v' });
  await secretsOn(91, staging).remove(secretId);
  await set([], day(91));
  const [, removed = table] = await everyVault(table);
  expect(removed.environment).toBe('staging');
  await expectRefused(listDeletedSecrets(staging, day(92)), 'environment_not_found');
  expect(await purgeVault(removed, day(100))).toMatchObject({ deleted: 1 });
  expect(await rotate(180, undefined, removed)).toMatchObject({ keyVersion: 3 });
});

test('a box opens only in the environment where it was sealed', async () => {
  const staging = await addStaging();
  await secretsOn().create('K', 'production');
  const entries = await allEntries(table, await headOf(table));
  const openIn = (vault: Vault) => createDecryptor(vault, kms, { now: Date.now }).open(entries);
  expect(await openIn(table)).toMatchObject([{ value: 'production' }]);
  await expect(openIn(staging)).rejects.toThrow('does not open');
  // Not even with the private key: the name of the environment is bound to the box and to the key.
  for (const pair of await listKeyPairs(table))
    await putItem(table, await signedItem(table, VAULT_KEY_PAIR, { ...pair, environment: 'staging' }));
  await expect(openIn(staging)).rejects.toThrow();
});

test('tags widen the access of keys only in the environments that they read', async () => {
  const staging = await addStaging();
  await newApiKey(table, { name: 'bot', tags: ['llm'], environments: ['staging'] });
  const live = await secretsOn().create('K', 'v');
  const tested = await secretsOn(0, staging).create('K', 'v');
  await secretsOn().update(live.secretId, { tags: ['llm'] });
  await expectRefused(
    secretsOn(0, staging).update(tested.secretId, { tags: ['llm'] }),
    'would_widen_access',
    '"bot"',
  );
});

test('a container remembers the vaults of all environments within one budget', async () => {
  const names = ['a', 'b', 'c', 'd'];
  for (const vault of await addEnvironments(table, kms, names)) {
    await secretsOn(0, vault).create('K', 'v');
    // Almost as many as a vault may have.
    await resignRow(table, VAULT_HEAD, vaultHeadKey(vault), { bytes: LIMITS.vaultBytes * 0.9 });
  }
  const reader = createVaultReader(table, kms);
  const read = async (environment: string) =>
    reader.read(await reader.head(environment), { ...asking(), environment });
  for (const name of names) await read(name);
  expect(kms.unwrapped).toBe(4);
  await read('d');
  expect(kms.unwrapped).toBe(4);
  // The one that was read least recently was forgotten.
  await read('a');
  expect(kms.unwrapped).toBe(5);
});

import { LIMITS } from '../../contract/limits.ts';
import { PARTITIONS } from '../../contract/table.ts';
import type { SecretEntry } from '../../lambdas/core/vault/secrets.ts';
import { earlierRef } from '../../lambdas/core/vault/values.ts';
import { formatProblem } from '../../lambdas/store/format.ts';
import { createDecryptor } from '../../lambdas/store/secrets/opened.ts';
import { createVaultReader } from '../../lambdas/store/secrets/reader.ts';
import { listDeletedSecrets, listSecrets } from '../../lambdas/store/secrets/secret-lists.ts';
import { signedItem } from '../../lambdas/store/signing/writes.ts';
import { putItem } from '../../lambdas/store/table.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { newEnvironment, readEnvironments } from '../../lambdas/store/vault/environments.ts';
import { findVaultHead, VAULT_HEAD, vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { allEntries } from '../../lambdas/store/vault/locations.ts';
import { purgeVault } from '../../lambdas/store/vault/purge.ts';
import { setEnvironments } from '../../lambdas/store/vault/set-environments.ts';
import { findValue, keepValue } from '../../lambdas/store/vault/values.ts';
import { type Vault, vaultIn } from '../../lambdas/store/vault/vault.ts';
import { everyVault } from '../../lambdas/store/vault/vaults.ts';
import { listKeyPairs } from '../../lambdas/store/vault-keys/all-key-pairs.ts';
import { keyPairKey, VAULT_KEY_PAIR } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { createVaults, ensureVaultKey, rotateVault } from '../../lambdas/store/vault-keys/rotation.ts';
import { beforeEachCall } from '../support/aws/intercept.ts';
import { newApiKey } from '../support/rows/api-keys.ts';
import { addEnvironments } from '../support/rows/environments.ts';
import { changeAt, expectRefused } from '../support/rows/table.ts';
import { editRow, resignRow, rewriteEntries } from '../support/rows/tampering.ts';
import {
  asking,
  day,
  headOf,
  keptValues,
  kms,
  onDay,
  readAll,
  rotate,
  secretsOn,
  table,
  vaults,
  withTestVaults,
} from '../support/rows/vault.ts';
import { scaled } from '../support/sampled.ts';

withTestVaults();

const FORMAT_ROW = { pk: PARTITIONS.format, sk: 'FORMAT' };

test('a vault whose head and key pairs are missing is not created again, neither by the rotation nor by a creation', async () => {
  await secretsOn().create('TOKEN', 'v');
  await deleteItem(table, vaultHeadKey(table));
  await deleteItem(table, keyPairKey(table, 1));
  await expectRefused(rotate(1), 'integrity');
  // The format row shows that there was a vault.
  expect(await ensureVaultKey(table, kms, day(1))).toBe(false);
  expect(await findVaultHead(table)).toBeUndefined();
  expect(await listKeyPairs(table)).toEqual([]);
});

test('a table with another format, or without one, is left unchanged', async () => {
  await editRow(table, FORMAT_ROW, { version: 99 });
  await expect(rotate(1, 1)).rejects.toThrow('rows of format 99');
  await editRow(table, FORMAT_ROW, { version: 1, newest: 2 });
  await expect(rotate(1, 1)).rejects.toThrow('rows of format 2');
  expect(await formatProblem(table, { oldest: 2, written: 2, newest: 2 })).toMatch('reads formats from 2 on');
  await deleteItem(table, FORMAT_ROW);
  await expect(rotate(1, 1)).rejects.toThrow('no format version');
  expect((await findVaultHead(table))?.keyVersion).toBe(1);
});

/** A vault with a secret of three values and a deleted one of two. */
const filled = async () => {
  const live = await secretsOn(0).create('LIVE', 'l1');
  await secretsOn(0).update(live.secretId, 'l2');
  await secretsOn(0).update(live.secretId, 'l3');
  const gone = await secretsOn(0).create('GONE', 'g1');
  await secretsOn(0).update(gone.secretId, 'g2');
  await secretsOn(0).remove(gone.secretId);
  return { live: live.secretId, gone: gone.secretId };
};

const versions = async () => (await listKeyPairs(table)).map(({ keyVersion }) => keyVersion);

test('a key pair is replaced when it has reached its age, not before, kept for eight days, then removed', async () => {
  await filled();
  expect(await rotate(89)).toMatchObject({ rotated: false, keyVersion: 1 });
  expect(await rotate(90)).toMatchObject({ rotated: true, keyVersion: 2 });
  expect(await rotate(97.9)).toMatchObject({ rotated: false, keyVersion: 2, retired: [] });
  expect(await versions()).toEqual([1, 2]);
  expect(await rotate(98.1)).toMatchObject({ retired: [1] });
  expect(await versions()).toEqual([2]);
  expect(await readAll()).toEqual({ LIVE: 'l3' });
});

test('a request replaces the key pair that it names, once, and never two within ten minutes', async () => {
  await filled();
  const at = (minutes: number, replace: number) => ({
    now: new Date(day(1).getTime() + minutes * 60_000),
    maxAgeDays: 90,
    replace,
  });
  const run = async (minutes: number, replace: number) => {
    const { rotated, keyVersion } = await rotateVault(table, kms, at(minutes, replace));
    return [rotated, keyVersion];
  };
  expect(await run(0, 2)).toEqual([false, 1]);
  expect(await run(0, 1)).toEqual([true, 2]);
  // The same request again, and one from whoever can only start the job.
  expect(await run(0, 1)).toEqual([false, 2]);
  expect(await run(9.9, 2)).toEqual([false, 2]);
  expect(await run(10, 2)).toEqual([true, 3]);
});

test('rotation re-encrypts everything that is live; deleted secrets keep their boxes and can be restored', async () => {
  const { live, gone } = await filled();
  expect(await rotate(1, 1)).toMatchObject({ reencrypted: 3, unopened: [] });
  const entries = await allEntries(table, await headOf(table));
  const versionsOf = entries.flatMap((entry) => [entry, ...entry.earlier]).map((each) => each.keyVersion);
  expect(versionsOf).toEqual([2, 2, 2]);

  expect(await readAll()).toEqual({ LIVE: 'l3' });
  await secretsOn(1).rollBack(live, 1);
  await secretsOn(1).restore(gone);
  expect(await readAll()).toEqual({ LIVE: 'l1', GONE: 'g2' });
  await secretsOn(1).rollBack(gone, 1);
  expect(await rotate(2)).toMatchObject({ reencrypted: 2, unopened: [] });
  expect(await readAll()).toEqual({ LIVE: 'l1', GONE: 'g1' });
});

test('a key pair stays as long as a restorable revision is encrypted to it', async () => {
  await filled();
  const { revision } = await headOf(table);
  await rotate(1, 1);
  await secretsOn(6).restoreRevision(revision);
  expect(await headOf(table)).toMatchObject({ keyVersion: 2, pages: [{ keyVersion: 1 }] });
  expect(await rotate(10)).toMatchObject({ reencrypted: 3, retired: [] });
  expect(await rotate(18.1)).toMatchObject({ reencrypted: 0, retired: [1] });
  expect(await readAll()).toEqual({ LIVE: 'l3' });
});

test('values of a retired key pair are gone, even if a run crashes while it removes them', async () => {
  const { live } = await filled();
  await rotate(1, 1);
  const crashing = beforeEachCall(table, (operation) => {
    if (operation === 'DeleteCommand') throw new Error('crash');
  });
  await expect(rotate(9.1, undefined, crashing)).rejects.toThrow('crash');
  await rotate(9.2);
  expect(await versions()).toEqual([2]);
  expect((await keptValues(table, live)).map(({ keyVersion }) => keyVersion)).toEqual([2, 2]);
});

const damaged = (box: Uint8Array): Uint8Array => box.map((byte) => byte ^ 1);

const damageCurrent = () =>
  rewriteEntries(table, onDay(0), (entry) =>
    entry.key === 'LIVE' ? { ...entry, box: damaged(entry.box) } : entry,
  );

const damageEarlier = async () => {
  const entries = await allEntries(table, await headOf(table));
  const entry = entries.find(({ key }) => key === 'LIVE');
  const ref = entry?.earlier.find(({ number }) => number === 1);
  const value = entry && ref && (await findValue(table, entry.secretId, ref));
  if (entry === undefined || value === undefined) throw new Error('no value');
  const changed = { ...value, box: damaged(value.box) };
  await keepValue(table, entry.secretId, changed);
  await rewriteEntries(table, onDay(0), (each) => ({
    ...each,
    earlier: each.earlier.map((old) =>
      old === ref || old.number === 1 ? earlierRef(each.secretId, changed) : old,
    ),
  }));
};

test.each([
  ['in a page', damageCurrent],
  ['of an earlier value', damageEarlier],
] as const)(
  'a box %s that does not open is reported, keeps its key pair, and blocks no other',
  async (_, damage) => {
    const { live } = await filled();
    await damage();
    await secretsOn(0).create('OTHER', 'o');
    const unopened = [live];
    expect(await rotate(1, 1)).toMatchObject({ reencrypted: 3, unopened });
    expect(await rotate(20)).toMatchObject({
      reencrypted: 0,
      unopened,
      retired: [],
    });
    expect(await readAll(asking({ key: 'OTHER' }))).toEqual({ OTHER: 'o' });
  },
);

const STEP = scaled(1, 3);

test('a rotation that crashes at any call is completed by the next run', async () => {
  const { live } = await filled();
  let calls = 0;
  for (let stop = 1; calls >= stop - STEP; stop += STEP) {
    const copy = await vaults.copy(table);
    calls = 0;
    const dying = beforeEachCall(copy, () => {
      if (++calls >= stop) throw new Error('killed');
    });
    const died = await rotate(1, 1, dying).then(
      () => false,
      () => true,
    );
    expect(await readAll(asking(), copy)).toEqual({ LIVE: 'l3' });
    await rotate(2, undefined, copy);
    await rotate(30, undefined, copy);
    expect(await readAll(asking(), copy)).toEqual({ LIVE: 'l3' });
    await secretsOn(30, copy).rollBack(live, 2);
    expect(await readAll(asking(), copy)).toEqual({ LIVE: 'l2' });
    if (!died) break;
  }
  expect(calls).toBeGreaterThan(15);
});

test('a warm reader keeps working through a rotation and the removal of the old key pair', async () => {
  await filled();
  const reader = createVaultReader(table, kms);
  const old = await reader.head();
  expect(await reader.read(old, asking())).toMatchObject({ LIVE: 'l3' });
  await rotate(1, 1);
  expect(await reader.read(await reader.head(), asking())).toMatchObject({ LIVE: 'l3' });
  await rotate(10);
  expect(await reader.read(await reader.head(), asking())).toMatchObject({ LIVE: 'l3' });
  expect(await createVaultReader(table, kms).read(old, asking())).toMatchObject({ LIVE: 'l3' });
});

test('while KMS is down nothing is rotated', async () => {
  await filled();
  kms.down = true;
  await expectRefused(rotate(1, 1), 'unavailable');
  expect(await versions()).toEqual([1]);
});

const boxOf = async (key: string): Promise<Uint8Array> => {
  const entries = await allEntries(table, await headOf(table));
  return entries.find((one) => one.key === key)?.box ?? new Uint8Array();
};

/** Gives one secret another box, as a compromised function that writes the vault could. */
const forge = (key: string, forged: Partial<SecretEntry>): Promise<void> =>
  rewriteEntries(table, changeAt(), (entry) => (entry.key === key ? { ...entry, ...forged } : entry));

test.each<[string, (secretId: string) => Promise<unknown>]>([
  ['another value of the same secret', (id) => secretsOn().update(id, 'new')],
  [
    'a deleted secret of the same name',
    async (id) => {
      await secretsOn().remove(id);
      await secretsOn().create('YOURS', 'new');
    },
  ],
])('the box of %s cannot be decrypted', async (_, change) => {
  const { secretId } = await secretsOn().create('YOURS', 'your');
  const box = await boxOf('YOURS');
  await change(secretId);
  await forge('YOURS', { box });
  await expect(readAll()).rejects.toThrow('does not open');
});

test('a secret cannot be read under another name, with tags that a restricted key may read', async () => {
  await secretsOn().create('TOKEN', 'secret', ['production']);
  await forge('TOKEN', { key: 'RENAMED', tags: ['free'] });
  await expect(readAll(asking({}, ['free']))).rejects.toThrow('does not open');
});

describe('environments', () => {
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
});

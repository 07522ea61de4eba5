import { PARTITIONS } from '../../contract/table.ts';
import type { SecretEntry } from '../../lambdas/core/vault/secrets.ts';
import { earlierRef } from '../../lambdas/core/vault/values.ts';
import { formatProblem } from '../../lambdas/store/format.ts';
import { createVaultReader } from '../../lambdas/store/secrets/reader.ts';
import { deleteItem } from '../../lambdas/store/updates.ts';
import { findVaultHead, vaultHeadKey } from '../../lambdas/store/vault/head.ts';
import { allEntries } from '../../lambdas/store/vault/locations.ts';
import { findValue, keepValue } from '../../lambdas/store/vault/values.ts';
import { listKeyPairs } from '../../lambdas/store/vault-keys/all-key-pairs.ts';
import { keyPairKey } from '../../lambdas/store/vault-keys/key-pairs.ts';
import { ensureVaultKey, rotateVault } from '../../lambdas/store/vault-keys/rotation.ts';
import { beforeEachCall } from '../support/aws/intercept.ts';
import { changeAt, expectRefused } from '../support/rows/table.ts';
import { editRow, rewriteEntries } from '../support/rows/tampering.ts';
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

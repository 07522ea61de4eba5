import { generateKeyPairSync } from 'node:crypto';
import { PARTITIONS } from '../../../contract/table.ts';
import { encryptValue } from '../../../lambdas/core/vault/encrypting.ts';
import { encodePage } from '../../../lambdas/core/vault/page-writes.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { findSecret, listDeletedSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { deletedKey } from '../../../lambdas/store/vault/deleted.ts';
import { readPage } from '../../../lambdas/store/vault/page-rows.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { valuesPartition } from '../../../lambdas/store/vault/values.ts';
import { findKeyPair, keyPairKey, VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { changeAt, expectRefused, rowsIn } from '../../support/rows/table.ts';
import { editRow, plantRow, rawRow } from '../../support/rows/tampering.ts';
import { day, headOf, kms, onDay, readAll, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const HEAD = { pk: `${PARTITIONS.vault}default`, sk: 'HEAD' };
const revisionKey = (revision: number) => ({
  pk: `${PARTITIONS.vault}default`,
  sk: `REVISION#${String(revision).padStart(12, '0')}`,
});

/** A vault with a secret of two values; the second one is for production alone. */
const filled = async (): Promise<string> => {
  const made = { key: 'TOKEN', value: 'first', tags: ['production'] };
  const { secretId } = await createSecret(table, onDay(0), made);
  await updateSecret(table, onDay(0), secretId, { value: 'second' });
  return secretId;
};

const onlyPage = async () => {
  const [ref] = (await headOf(table)).pages;
  if (ref === undefined) throw new Error('no page');
  const key = { pk: `${PARTITIONS.vaultPage}default#${ref.id}`, sk: 'PAGE' };
  return { key, page: await readPage(table, ref) };
};

const ownPair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });

describe('someone who can write rows but cannot sign', () => {
  test('cannot have values encrypted to a public key that replaces that of the vault', async () => {
    const secretId = await filled();
    await editRow(table, keyPairKey(table, 1), { publicKey: ownPair().publicKey });
    await expectRefused(updateSecret(table, changeAt(), secretId, { value: 'third' }), 'integrity');
  });

  test('cannot rename or retag a secret, or replace a value: nothing is released or changed, whichever function reads the page', async () => {
    const secretId = await filled();
    const { key, page } = await onlyPage();
    const entries = page.entries.map((entry) => ({ ...entry, tags: [] }));
    await editRow(table, key, { body: encodePage({ ...page, entries }) });
    await expectRefused(readAll(table, kms), 'integrity');
    await expectRefused(updateSecret(table, changeAt(), secretId, { value: 'third' }), 'integrity');
    const rotation = { now: day(1), maxAgeDays: 90, replace: 1 };
    await expectRefused(rotateVault(table, kms, rotation), 'integrity');
  });

  test('cannot introduce a value by a rollback', async () => {
    const secretId = await filled();
    const pair = await findKeyPair(table, 1);
    if (pair === undefined) throw new Error('no pair');
    const context = {
      stage: 'test',
      environment: 'default',
      key: 'TOKEN',
      secretId,
      number: 1,
      keyVersion: 1,
    };
    const rows = await rowsIn(table, valuesPartition(table, secretId));
    expect(rows).toHaveLength(1);
    for (const row of rows)
      await plantRow(table, { ...row, box: encryptValue(pair.publicKey, context, 'planted') });
    await expectRefused(rollbackSecret(table, onDay(1), secretId, 1), 'integrity');
    await expectRefused(findSecret(table, secretId), 'integrity');
    expect(await readAll(table, kms)).toEqual({ TOKEN: 'second' });
  });

  test('cannot introduce anything by restoring a deleted secret', async () => {
    const secretId = await filled();
    const { revision } = await headOf(table);
    await updateSecret(table, onDay(0), secretId, { tags: [] });
    await deleteSecret(table, onDay(1), secretId);
    // The secret had no tags in its last revision. A row that names an earlier one is not trusted.
    await editRow(table, deletedKey(table, secretId), { revision });
    await expectRefused(restoreSecret(table, onDay(2), secretId), 'secret_not_found');
    expect(await listDeletedSecrets(table, day(2))).toEqual([]);
    await editRow(table, deletedKey(table, secretId), { revision: revision + 1 });
    expect(await restoreSecret(table, onDay(2), secretId)).toMatchObject({ tags: [], number: 2 });
    expect(await readAll(table, kms)).toEqual({ TOKEN: 'second' });
  });

  test('cannot introduce anything by restoring a revision', async () => {
    const secretId = await filled();
    const { revision } = await headOf(table);
    await updateSecret(table, onDay(1), secretId, { tags: [] });
    await editRow(table, revisionKey(revision), { count: 7 });
    await expectRefused(restoreRevision(table, onDay(1), revision), 'integrity');
    // Another head that was signed once is not that revision.
    const first = await rawRow(table, revisionKey(1));
    await plantRow(table, { ...first, ...revisionKey(revision) });
    await expectRefused(restoreRevision(table, onDay(1), revision), 'integrity');
  });
});

test('an earlier revision is the row that was signed as the head', async () => {
  const secretId = await filled();
  const { pk: _, sk: __, ...head } = await rawRow(table, HEAD);
  await updateSecret(table, onDay(1), secretId, { tags: [] });
  const { pk, sk, ...kept } = await rawRow(table, revisionKey(Number(head.revision)));
  expect(kept).toEqual(head as Item);
});

test('a rotation seals nothing if the public key of the current pair does not belong to its private key', async () => {
  const secretId = await filled();
  await rotateVault(table, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  await createSecret(table, onDay(1), { key: 'OTHER', value: 'o' });
  const pair = await findKeyPair(table, 2);
  if (pair === undefined) throw new Error('no pair');
  const { revision } = await headOf(table);
  // Not even someone who can sign gets values encrypted to a key of their own.
  const forged = { ...pair, publicKey: ownPair().publicKey };
  await plantRow(table, await signedItem(table, VAULT_KEY_PAIR, forged));
  await expectRefused(rotateVault(table, kms, { now: day(2), maxAgeDays: 90 }), 'integrity');
  expect((await headOf(table)).revision).toBe(revision);
  expect((await findSecret(table, secretId)).secret.number).toBe(2);
});

import { PARTITIONS } from '../../../contract/table.ts';
import { encryptValue } from '../../../lambdas/core/vault/encrypting.ts';
import { encodePage } from '../../../lambdas/core/vault/page-writes.ts';
import { findSecret, listDeletedSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import type { Item } from '../../../lambdas/store/table.ts';
import { deletedKey } from '../../../lambdas/store/vault/deleted.ts';
import { readPage } from '../../../lambdas/store/vault/page-rows.ts';
import { valuesPartition } from '../../../lambdas/store/vault/values.ts';
import { findKeyPair, keyPairKey, VAULT_KEY_PAIR } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { expectRefused, rowsIn } from '../../support/rows/table.ts';
import { editRow, plantRow, rawRow } from '../../support/rows/tampering.ts';
import {
  day,
  headOf,
  kms,
  readAll,
  rotate,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const HEAD = { pk: `${PARTITIONS.vault}default`, sk: 'HEAD' };
const revisionKey = (revision: number) => ({
  pk: `${PARTITIONS.vault}default`,
  sk: `REVISION#${String(revision).padStart(12, '0')}`,
});

/** A vault with a secret of two values; the second one is for production alone. */
const filled = async (): Promise<string> => {
  const { secretId } = await secretsOn(0).create('TOKEN', 'first', ['production']);
  await secretsOn(0).update(secretId, 'second');
  return secretId;
};

const onlyPage = async () => {
  const [ref] = (await headOf(table)).pages;
  if (ref === undefined) throw new Error('no page');
  const key = { pk: `${PARTITIONS.vaultPage}default#${ref.id}`, sk: 'PAGE' };
  return { key, page: await readPage(table, ref) };
};

const pairOf = async (version: number) => {
  const pair = await findKeyPair(table, version);
  if (pair === undefined) throw new Error('no pair');
  return pair;
};

const ownKey = async () => (await kms.generatePair({})).publicKey;

describe('someone who can write rows but cannot sign', () => {
  test('cannot have values encrypted to a public key that replaces that of the vault', async () => {
    const secretId = await filled();
    await editRow(table, keyPairKey(table, 1), { publicKey: await ownKey() });
    await expectRefused(secretsOn().update(secretId, 'third'), 'integrity');
  });

  test('cannot rename or retag a secret, or replace a value: nothing is released or changed, whichever function reads the page', async () => {
    const secretId = await filled();
    const { key, page } = await onlyPage();
    const entries = page.entries.map((entry) => ({ ...entry, tags: [] }));
    await editRow(table, key, { body: encodePage({ ...page, entries }) });
    await expectRefused(readAll(), 'integrity');
    await expectRefused(secretsOn().update(secretId, 'third'), 'integrity');
    await expectRefused(rotate(1, 1), 'integrity');
  });

  test('cannot introduce a value by a rollback', async () => {
    const secretId = await filled();
    const { publicKey } = await pairOf(1);
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
      await plantRow(table, { ...row, box: encryptValue(publicKey, context, 'planted') });
    await expectRefused(secretsOn(1).rollBack(secretId, 1), 'integrity');
    await expectRefused(findSecret(table, secretId), 'integrity');
    expect(await readAll()).toEqual({ TOKEN: 'second' });
  });

  test('cannot introduce anything by restoring a deleted secret', async () => {
    const secretId = await filled();
    const { revision } = await headOf(table);
    await secretsOn(0).update(secretId, { tags: [] });
    await secretsOn(1).remove(secretId);
    // The secret had no tags in its last revision. A row that names an earlier one is not trusted.
    await editRow(table, deletedKey(table, secretId), { revision });
    await expectRefused(secretsOn(2).restore(secretId), 'secret_not_found');
    expect(await listDeletedSecrets(table, day(2))).toEqual([]);
    await editRow(table, deletedKey(table, secretId), { revision: revision + 1 });
    expect(await secretsOn(2).restore(secretId)).toMatchObject({ tags: [], number: 2 });
    expect(await readAll()).toEqual({ TOKEN: 'second' });
  });

  test('cannot introduce anything by restoring a revision', async () => {
    const secretId = await filled();
    const { revision } = await headOf(table);
    await secretsOn(1).update(secretId, { tags: [] });
    await editRow(table, revisionKey(revision), { count: 7 });
    await expectRefused(secretsOn(1).restoreRevision(revision), 'integrity');
    // Another head that was signed once is not that revision.
    const first = await rawRow(table, revisionKey(1));
    await plantRow(table, { ...first, ...revisionKey(revision) });
    await expectRefused(secretsOn(1).restoreRevision(revision), 'integrity');
  });
});

test('an earlier revision is the row that was signed as the head', async () => {
  const secretId = await filled();
  const { pk: _, sk: __, ...head } = await rawRow(table, HEAD);
  await secretsOn(1).update(secretId, { tags: [] });
  const { pk, sk, ...kept } = await rawRow(table, revisionKey(Number(head.revision)));
  expect(kept).toEqual(head as Item);
});

test('a rotation seals nothing if the public key of the current pair does not belong to its private key', async () => {
  const secretId = await filled();
  await rotate(1, 1);
  await secretsOn(1).create('OTHER', 'o');
  const { revision } = await headOf(table);
  // Not even someone who can sign gets values encrypted to a key of their own.
  const forged = { ...(await pairOf(2)), publicKey: await ownKey() };
  await plantRow(table, await signedItem(table, VAULT_KEY_PAIR, forged));
  await expectRefused(rotate(2), 'integrity');
  expect((await headOf(table)).revision).toBe(revision);
  expect((await findSecret(table, secretId)).secret.number).toBe(2);
});

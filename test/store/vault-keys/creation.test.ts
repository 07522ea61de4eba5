import { PARTITIONS } from '../../../contract/table.ts';
import { changeOfRevision } from '../../../lambdas/store/audit-log.ts';
import { formatProblem } from '../../../lambdas/store/format.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { findVaultHead, vaultHeadKey } from '../../../lambdas/store/vault/head.ts';
import { listKeyPairs } from '../../../lambdas/store/vault-keys/all-key-pairs.ts';
import { keyPairKey } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { ensureVaultKey } from '../../../lambdas/store/vault-keys/rotation.ts';
import { expectRefused } from '../../support/rows/table.ts';
import { editRow } from '../../support/rows/tampering.ts';
import { day, headOf, kms, rotate, secretsOn, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const FORMAT_ROW = { pk: PARTITIONS.format, sk: 'FORMAT' };

test('the creation of the vault is in the audit log as its first revision', async () => {
  const entry = await changeOfRevision(table, await headOf(table));
  expect(entry).toMatchObject({ action: 'vault.create', revision: 1 });
});

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

import { LIMITS } from '../../../contract/limits.ts';
import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { countingCalls } from '../../support/aws/intercept.ts';
import { changeAt } from '../../support/rows/table.ts';
import { asking, headOf, readAll, vaults, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const some = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, n) => ({ key: `KEY_${n}`, value: 'v'.repeat(bytes) }));
const extra = { key: 'EXTRA', value: 'v' };
const full = { code: 'vault_full' };

test('the vault accepts 5,000 secrets and not one more', async () => {
  const { table, kms } = await vaults.open();
  const { created } = await importSecrets(table, changeAt(), some(5_000, 16));
  expect(await headOf(table)).toMatchObject({ count: 5_000, bytes: 80_000 });
  await expect(createSecret(table, changeAt(), extra)).rejects.toMatchObject(full);
  expect(Object.keys(await readAll(table, kms))).toHaveLength(5_000);

  const secretId = created[0]?.secretId ?? '';
  await deleteSecret(table, changeAt(), secretId);
  await createSecret(table, changeAt(), extra);
  await expect(restoreSecret(table, changeAt(), secretId)).rejects.toMatchObject(full);
});

test('the vault accepts 20 MB of values of 64 KB and not one byte more', async () => {
  const { table, kms } = await vaults.open();
  const { created } = await importSecrets(table, changeAt(), some(320, LIMITS.secretValueBytes));
  expect(await headOf(table)).toMatchObject({ count: 320, bytes: LIMITS.vaultBytes });
  await expect(createSecret(table, changeAt(), extra)).rejects.toMatchObject(full);
  // What a value replaces makes room for it.
  await importSecrets(table, changeAt(), some(1, LIMITS.secretValueBytes));
  const last = await readAll(table, kms, asking({ key: 'KEY_319' }));
  expect(last.KEY_319).toHaveLength(LIMITS.secretValueBytes);
  const secretId = created[0]?.secretId ?? '';
  await updateSecret(table, changeAt(), secretId, { value: 'shorter' });
  await createSecret(table, changeAt(), extra);
});

test('a cold read of 1,000 secrets takes at most twenty reads of the table and one call of KMS', async () => {
  const { table, kms } = await vaults.open();
  await importSecrets(table, changeAt(), some(1_000, 100), ['service', 'production']);
  const { counted, calls } = countingCalls(table, (operation) => operation === 'GetCommand');
  const reader = createVaultReader(counted, kms);
  expect(Object.keys(await reader.read(await reader.head(), asking()))).toHaveLength(1_000);
  expect(calls.length).toBeLessThanOrEqual(20);
  expect(kms.unwrapped).toBe(1);
});

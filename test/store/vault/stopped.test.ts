import { changeOfRevision } from '../../../lambdas/store/audit-log.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { changeAt } from '../../support/rows/table.ts';
import { day, headOf, readAll, vaults, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const withSecret = async () => {
  const { table, kms } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v' });
  return { table, kms, secretId };
};

const refusal = { code: 'vault_stopped', status: 403 };

test('changes, a rotation and a restored revision keep the vault stopped', async () => {
  const { table, kms, secretId } = await withSecret();
  const { revision } = await headOf(table);
  await setServing(table, changeAt(day(1)), false);
  await updateSecret(table, changeAt(day(1)), secretId, { value: 'w' });
  await rotateVault(table, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  await restoreRevision(table, changeAt(day(2)), revision);
  await expect(readAll(table, kms)).rejects.toMatchObject(refusal);
  await setServing(table, changeAt(day(2)), true);
  expect(await readAll(table, kms)).toEqual({ K: 'v' });
});

test('stopping twice changes nothing; the audit log and the head name who stopped it and why', async () => {
  const { table } = await withSecret();
  const first = await setServing(table, changeAt(day(1)), false, 'a key leaked');
  const again = await setServing(table, changeAt(day(2)), false, 'another reason');
  expect([again.revision, again.stoppedAt]).toEqual([first.revision, day(1).toISOString()]);
  expect([again.stoppedBy, again.stoppedReason]).toEqual(['operator@example.com', 'a key leaked']);
  const entry = await changeOfRevision(table, first);
  expect(entry).toMatchObject({
    action: 'vault.stop',
    actor: 'operator@example.com',
    details: JSON.stringify({ reason: 'a key leaked' }),
  });
});

test('the creation of the vault is in the audit log as its first revision', async () => {
  const { table } = await vaults.open();
  const head = await headOf(table);
  expect(await changeOfRevision(table, head)).toMatchObject({ action: 'vault.create' });
});

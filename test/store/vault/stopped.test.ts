import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { day, headOf, kms, onDay, readAll, table, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const refusal = { code: 'vault_stopped', status: 403 };

test('changes, a rotation and a restored revision keep the vault stopped, and stopping it again changes nothing', async () => {
  const { secretId } = await createSecret(table, onDay(0), { key: 'K', value: 'v' });
  const { revision } = await headOf(table);
  await setServing(table, onDay(1), false, 'a key leaked');
  await updateSecret(table, onDay(1), secretId, { value: 'w' });
  await rotateVault(table, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  await restoreRevision(table, onDay(2), revision);
  await expect(readAll(table, kms)).rejects.toMatchObject(refusal);
  const stopped = await headOf(table);
  expect(stopped).toMatchObject({
    stoppedAt: day(1).toISOString(),
    stoppedBy: 'operator@example.com',
    stoppedReason: 'a key leaked',
  });
  expect(await setServing(table, onDay(3), false, 'another reason')).toEqual(stopped);
  expect(await headOf(table)).toEqual(stopped);
  await setServing(table, onDay(3), true);
  expect(await readAll(table, kms)).toEqual({ K: 'v' });
});

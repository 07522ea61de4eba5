import { setServing } from '../../../lambdas/store/vault/serving.ts';
import {
  day,
  headOf,
  onDay,
  readAll,
  rotate,
  secretsOn,
  table,
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const refusal = { code: 'vault_stopped', status: 403 };

test('changes, a rotation and a restored revision keep the vault stopped, and stopping it again changes nothing', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v');
  const { revision } = await headOf(table);
  await setServing(table, onDay(1), false, 'a key leaked');
  await secretsOn(1).update(secretId, 'w');
  await rotate(1, 1);
  await secretsOn(2).restoreRevision(revision);
  await expect(readAll()).rejects.toMatchObject(refusal);
  const stopped = await headOf(table);
  expect(stopped).toMatchObject({
    stoppedAt: day(1).toISOString(),
    stoppedBy: 'operator@example.com',
    stoppedReason: 'a key leaked',
  });
  expect(await setServing(table, onDay(3), false, 'another reason')).toEqual(stopped);
  expect(await headOf(table)).toEqual(stopped);
  await setServing(table, onDay(3), true);
  expect(await readAll()).toEqual({ K: 'v' });
});

import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { listDeletedSecrets, listSecrets } from '../../../lambdas/store/secrets/secret-lists.ts';
import { listRevisions } from '../../../lambdas/store/vault/history.ts';
import { allEntries } from '../../../lambdas/store/vault/locations.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import { setServing } from '../../../lambdas/store/vault/serving.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { expectRefused, rowsIn } from '../../support/rows/table.ts';
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
  withTestVaults,
} from '../../support/rows/vault.ts';

withTestVaults();

const revisionsOf = async () => (await Array.fromAsync(listRevisions(table))).map(({ revision }) => revision);

const pageRows = (id: string) => rowsIn(table, `VAULTPAGE#default#${id}`);

test('a replaced revision is purged on the eighth day after it was replaced, with the pages that only it references, of which a slow reader reads the current ones', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const reader = createVaultReader(table, kms);
  const before = await headOf(table);
  const [old] = before.pages;
  await secretsOn(2).update(secretId, 'v2');
  expect(await purgeVault(table, day(7.9))).toEqual({ revisions: 0, writings: 0, deleted: 0 });
  expect(await purgeVault(table, day(8.1))).toMatchObject({ revisions: 1 });
  expect(await pageRows(old?.id ?? '')).toHaveLength(1);
  expect(await purgeVault(table, day(10.1))).toMatchObject({ revisions: 1 });
  expect(await pageRows(old?.id ?? '')).toEqual([]);
  expect(await revisionsOf()).toEqual([]);
  expect(await readAll()).toEqual({ K: 'v2' });
  expect(await reader.read(before, asking())).toMatchObject({ K: 'v2' });
});

test('every revision that is kept can still be read in full, however often a purge was cut short', async () => {
  await importSecrets(
    table,
    onDay(0),
    Array.from({ length: 20 }, (_, n) => ({ key: `K${n}`, value: 'x'.repeat(8_000) })),
  );
  const [first] = await listSecrets(table);
  for (let n = 1; n <= 10; n++) await secretsOn(n).update(first?.secretId ?? '', `v${n}`);
  let calls = 0;
  for (let stop = 1, died = true; died; stop++) {
    calls = 0;
    const dying = beforeEachCall(table, () => {
      if (++calls >= stop) throw new Error('killed');
    });
    died = await purgeVault(dying, day(15)).then(
      () => false,
      () => true,
    );
    for (const kept of [await headOf(table), ...(await revisionsOf()).slice(-4)])
      expect(await allEntries(table, kept)).toHaveLength(20);
  }
  expect(await revisionsOf()).toHaveLength(4);
});

test('a deleted secret and its earlier values are purged on the eighth day', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  await secretsOn(0).update(secretId, 'v2');
  await secretsOn(1).remove(secretId);
  expect(await purgeVault(table, day(8.9))).toMatchObject({ deleted: 0 });
  expect(await purgeVault(table, day(9.1))).toMatchObject({ deleted: 1 });
  expect(await keptValues(table, secretId)).toEqual([]);
  await expectRefused(secretsOn(1).restore(secretId), 'secret_not_found');
});

test('an earlier revision is restored completely; secrets created since count as deleted', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const { revision } = await headOf(table);
  await secretsOn(1).update(secretId, 'v2');
  const { secretId: later } = await secretsOn(1).create('LATER', 'l');
  await secretsOn(2).remove(secretId);
  expect(await secretsOn(3).restoreRevision(revision)).toBe((await headOf(table)).revision);
  expect(await readAll()).toEqual({ K: 'v1' });
  expect(await headOf(table)).toMatchObject({ count: 1, bytes: 2 });
  expect(await listDeletedSecrets(table, day(3))).toMatchObject([{ secretId: later }]);

  expect((await secretsOn(4).update(secretId, 'v3')).number).toBe(3);
  await purgeVault(table, day(9.5));
  expect(await keptValues(table, secretId)).not.toEqual([]);
  await secretsOn(9.9).restore(later);
  expect(await readAll()).toEqual({ K: 'v3', LATER: 'l' });
});

test('a revision can be restored for seven days and not longer', async () => {
  await secretsOn(0).create('K', 'v');
  await expectRefused(secretsOn(7.1).restoreRevision(1), 'value_not_found');
  await expectRefused(secretsOn(7).restoreRevision(99), 'value_not_found');
  await secretsOn(6.9).restoreRevision(1);
  expect(await headOf(table)).toMatchObject({ count: 0, revision: 3 });
});

test('what is restored at the last moment survives the purge of the next day', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v1');
  const { revision } = await headOf(table);
  await secretsOn(1).remove(secretId);
  await secretsOn(7.9).restoreRevision(revision);
  const old = await headOf(table);
  await secretsOn(8).restoreRevision(revision + 1);
  // The record of the first deletion was replaced: the second one can be undone until day 15.
  await purgeVault(table, day(9.1));
  await secretsOn(14.9).restoreRevision(old.revision);
  expect(await readAll()).toEqual({ K: 'v1' });
});

test('changes, a rotation and a restored revision keep the vault stopped, and stopping it again changes nothing', async () => {
  const { secretId } = await secretsOn(0).create('K', 'v');
  const { revision } = await headOf(table);
  await setServing(table, onDay(1), false, 'a key leaked');
  await secretsOn(1).update(secretId, 'w');
  await rotate(1, 1);
  await secretsOn(2).restoreRevision(revision);
  await expect(readAll()).rejects.toMatchObject({ code: 'vault_stopped', status: 403 });
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

import { auditChange, SYSTEM } from '../../../lambdas/store/audit.ts';
import { signedRowProblem } from '../../../lambdas/store/integrity/signed-rows.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import type { Item, Key } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { listRevisions } from '../../../lambdas/store/vault/history.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import { keyPairKey } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { changeAt } from '../../support/rows/table.ts';
import { rawRow } from '../../support/rows/tampering.ts';
import { day, headOf, vaults, withTestVaults } from '../../support/rows/vault.ts';

withTestVaults();

const BY_HAND = { problem: 'A row was removed by hand.' };

/** What the stream says of a row that was removed. */
const judged = (table: Vault, key: Key, before: Item, at: Date) =>
  signedRowProblem(table, {
    sequence: '1',
    key,
    before,
    after: undefined,
    expired: false,
    at,
  });

const revisionRows = async (table: Vault): Promise<{ readonly key: Key; readonly item: Item }[]> => {
  const keys = (await Array.fromAsync(listRevisions(table))).map(({ key }) => key);
  return Promise.all(keys.map(async (key) => ({ key, item: await rawRow(table, key) })));
};

test('a revision that the purge removes is not a finding; one that is removed by hand is', async () => {
  const { table } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v1' });
  await updateSecret(table, changeAt(day(2)), secretId, { value: 'v2' });
  await updateSecret(table, changeAt(day(3)), secretId, { value: 'v3' });
  const rows = await revisionRows(table);
  expect(rows).toHaveLength(3);
  await purgeVault(table, day(10.5));
  const kept = new Set((await revisionRows(table)).map(({ key }) => key.sk));
  for (const { key, item } of rows) {
    const expected = kept.has(key.sk) ? BY_HAND : undefined;
    await deleteItem(table, key);
    expect([key.sk, await judged(table, key, item, day(10.5))]).toEqual([key.sk, expected]);
  }
  expect(kept.size).toBe(1);
});

test('of several revisions removed by hand at once, at least the last is found', async () => {
  const { table } = await vaults.open();
  const { secretId } = await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v1' });
  for (const n of [1, 2, 3]) await updateSecret(table, changeAt(day(n)), secretId, { value: `v${n}` });
  const rows = await revisionRows(table);
  for (const { key } of rows) await deleteItem(table, key);
  const found = await Promise.all(rows.map(({ key, item }) => judged(table, key, item, day(4))));
  expect(found.at(-1)).toEqual(BY_HAND);
});

test('a key pair that the rotation removes is not a finding; one that is removed by hand is', async () => {
  const { table, kms } = await vaults.open();
  await createSecret(table, changeAt(day(0)), { key: 'K', value: 'v1' });
  await rotateVault(table, kms, { now: day(1), maxAgeDays: 90, replace: 1 });
  const [old, current] = await Promise.all(
    [1, 2].map((version) => rawRow(table, keyPairKey(table, version))),
  );
  expect(await judged(table, keyPairKey(table, 1), old ?? {}, day(9.1))).toEqual(BY_HAND);
  const { retired } = await rotateVault(table, kms, { now: day(9.1), maxAgeDays: 90 });
  expect(retired).toEqual([1]);
  // The stream can be late, and the vault can have changed since.
  await createSecret(table, changeAt(day(9.2)), { key: 'L', value: 'v1' });
  expect(await judged(table, keyPairKey(table, 1), old ?? {}, day(9.1))).toBeUndefined();
  expect(await judged(table, keyPairKey(table, 2), current ?? {}, day(9.1))).toEqual(BY_HAND);
});

test('an audit entry added by hand does not excuse the removal of a key pair', async () => {
  const { table } = await vaults.open();
  await createSecret(table, changeAt(day(1)), { key: 'K', value: 'v1' });
  const pair = await rawRow(table, keyPairKey(table, 1));
  const { revision, changedAt } = await headOf(table);
  const details = { retired: [1] };
  const forged = {
    action: 'vault.retire-keys',
    subject: 'vault',
    name: 'vault',
    details,
    revision,
    environment: 'default',
  };
  // Its sort key comes first: it begins with the time, then has the id of the request.
  const change = { ...changeAt(new Date(changedAt)), actor: SYSTEM, requestId: '!' };
  await transact(table, [auditChange(table, change, forged)]);
  expect(await judged(table, keyPairKey(table, 1), pair, day(1))).toEqual(BY_HAND);
});

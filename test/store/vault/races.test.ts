import { importSecrets } from '../../../lambdas/store/secrets/import.ts';
import { createVaultReader } from '../../../lambdas/store/secrets/reader.ts';
import { createSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import { listPendingWrites } from '../../../lambdas/store/vault/pending-writes.ts';
import { purgeVault } from '../../../lambdas/store/vault/purge.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import { beforeEachCall } from '../../support/aws/intercept.ts';
import { changeAt } from '../../support/rows/table.ts';
import { asking, headOf, readAll, vaults, withTestVaults } from '../../support/rows/vault.ts';
import { scaled } from '../../support/sampled.ts';

withTestVaults();

const READS = scaled(2_000, 400);
const REVISIONS = 10;

test('readers never see half of a change of two secrets', async () => {
  const { table, kms } = await vaults.open();
  const pair = (n: number) => ['LEFT', 'RIGHT'].map((key) => ({ key, value: String(n) }));
  await importSecrets(table, changeAt(), pair(0));
  let reads = 0;
  const isOver = () => reads >= READS && seen.size > REVISIONS;
  const seen = new Set<string>();
  const torn: unknown[] = [];
  const read = async () => {
    const reader = createVaultReader(table, kms);
    while (!isOver()) {
      reads += 1;
      const { LEFT, RIGHT } = await reader.read(await reader.head(), asking());
      if (LEFT !== RIGHT) torn.push({ LEFT, RIGHT });
      seen.add(String(LEFT));
    }
  };
  const write = async () => {
    for (let n = 1; !isOver(); n++) await importSecrets(table, changeAt(), pair(n));
  };
  await Promise.all([read(), read(), read(), read(), write()]);
  expect(torn).toEqual([]);
});

const create = (table: Vault, value: string) => createSecret(table, changeAt(), { key: 'K', value });

test.each<[string, string, (table: Vault) => Promise<(value: string) => Promise<unknown>>]>([
  ['creators of one key', 'secret_key_taken', async (table) => (value) => create(table, value)],
  [
    'updates of the same value',
    'changed_meanwhile',
    async (table) => {
      const { secretId } = await create(table, 'start');
      return (value) => updateSecret(table, changeAt(), secretId, { value, number: 1 });
    },
  ],
])('of twenty concurrent %s exactly one wins', async (_, code, begin) => {
  const { table, kms } = await vaults.open();
  const write = await begin(table);
  const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => write(`value-${n}`)));
  const won = tries.flatMap(({ status }, n) => (status === 'fulfilled' ? [`value-${n}`] : []));
  const lost = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect([won.length, new Set(lost)]).toEqual([1, new Set([code])]);
  expect(await readAll(table, kms)).toEqual({ K: won[0] });
  expect(await headOf(table)).toMatchObject({ count: 1, bytes: won[0]?.length });
});

test('a change that conflicts on every attempt fails with an error and changes nothing', async () => {
  const { table, kms } = await vaults.open();
  let others = 0;
  const restless = beforeEachCall(table, async (operation) => {
    if (operation !== 'TransactWriteCommand') return;
    await createSecret(table, changeAt(), { key: `OTHER_${others++}`, value: 'v' });
  });
  await expect(createSecret(restless, changeAt(), { key: 'K', value: 'v' })).rejects.toMatchObject({
    code: 'changed_meanwhile',
  });
  expect(others).toBeGreaterThan(2);
  expect(await readAll(table, kms)).not.toHaveProperty('K');
});

test('writers of different secrets all succeed, and what lost races left behind is purged', async () => {
  const { table, kms } = await vaults.open();
  const keys = Array.from({ length: 8 }, (_, n) => `K${n}`);
  await Promise.all(keys.map((key) => createSecret(table, changeAt(), { key, value: key })));
  expect(await readAll(table, kms)).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  expect(await headOf(table)).toMatchObject({ count: 8, bytes: 16 });
  const { writings } = await purgeVault(table, new Date(Date.now() + 2 * 86_400_000));
  expect(writings).toBeGreaterThan(0);
  expect(await Array.fromAsync(listPendingWrites(table))).toEqual([]);
  expect(await readAll(table, kms)).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
});

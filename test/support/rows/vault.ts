import { RESTORED } from '../../../contract/table.ts';
import { daysAfter } from '../../../lambdas/core/days.ts';
import type { EarlierValue } from '../../../lambdas/core/vault/secrets.ts';
import type { Change } from '../../../lambdas/store/audit.ts';
import { rowsFrom } from '../../../lambdas/store/queries.ts';
import { createVaultReader, type ReadRequest } from '../../../lambdas/store/secrets/reader.ts';
import { deleteSecret, restoreSecret } from '../../../lambdas/store/secrets/removals.ts';
import { createSecret, rollbackSecret, updateSecret } from '../../../lambdas/store/secrets/secrets.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { findVaultHead } from '../../../lambdas/store/vault/head.ts';
import { restoreRevision } from '../../../lambdas/store/vault/revisions.ts';
import { valuesPartition } from '../../../lambdas/store/vault/values.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import type { VaultUnwrap } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import { ensureVaultKey, rotateVault } from '../../../lambdas/store/vault-keys/rotation.ts';
import { ensureTable } from '../../../local/engine/table.ts';
import { createTestKms, type TestKms } from './kms.ts';
import { addItems, allItems, changeAt, openTestTable } from './table.ts';

const START = new Date('2026-03-01T12:00:00Z');

/** A time so many days after the start. */
export const day = (days: number): Date => daysAfter(START, days);

/** A change by a test operator so many days after the start. */
export const onDay = (days: number): Change => changeAt(day(days));

export interface TestVaults {
  /** A fresh, empty vault in its own table, signed as `adjust` says. */
  readonly open: (adjust?: (table: Vault) => Vault) => Promise<{ table: Vault; kms: TestKms }>;
  /** A table with the rows of another, named as a copy from point-in-time recovery. */
  readonly copy: (table: Vault) => Promise<Vault>;
  readonly stop: () => Promise<void>;
}

/** Vaults on one engine. */
export const openTestVaults = async (): Promise<TestVaults> => {
  const opened = await openTestTable();
  let count = 0;
  const another = async (prefix = 'vault-') => {
    const table = { ...opened.table, name: prefix + String(++count) };
    await ensureTable(opened.endpoint, table.name);
    return table;
  };
  return {
    open: async (adjust = (table) => table) => {
      const table = adjust(await another());
      const kms = createTestKms();
      await ensureVaultKey(table, kms, START);
      return { table, kms };
    },
    copy: async (table) => {
      const copied = await another(table.name + RESTORED);
      await addItems(copied, await allItems(table));
      return copied;
    },
    stop: opened.stop,
  };
};

let requests = 0;

/** A request of an API key that may see everything. */
export const asking = (
  filter: ReadRequest['filter'] = {},
  restriction: readonly string[] = [],
): ReadRequest => ({
  caller: { apiKeyId: 'k1234567', apiKeyName: 'app', restriction },
  filter,
  at: START,
  requestId: `read-${++requests}`,
  sourceIp: '203.0.113.7',
  userAgent: 'test',
});

/** The current head, which must exist. */
export const headOf = async (table: Vault) => {
  const head = await findVaultHead(table);
  if (head === undefined) throw new Error('no head');
  return head;
};

/** The vaults of this test file. */
export let vaults: TestVaults;

/** The vault of this test, in its own table, and the KMS of its key pairs. */
export let table: Vault;
export let kms: TestKms;

/** What a new reader with an empty cache releases, of the vault of this test unless another is given. */
export const readAll = async (
  request: ReadRequest = asking(),
  from: Table = table,
  unwrap: VaultUnwrap = kms,
): Promise<Record<string, string>> => {
  const reader = createVaultReader(from, unwrap);
  return { ...(await reader.read(await reader.head(), request)) };
};

/** What a test operator does so many days after the start, or now, in the vault of this test unless another is given. */
export const secretsOn = (days?: number, vault: Vault = table) => {
  const change = days === undefined ? changeAt() : onDay(days);
  return {
    create: (key: string, value: string, tags: readonly string[] = []) =>
      createSecret(vault, change, { key, value, tags }),
    update: (secretId: string, to: string | Parameters<typeof updateSecret>[3]) =>
      updateSecret(vault, change, secretId, typeof to === 'string' ? { value: to } : to),
    rollBack: (secretId: string, number: number) => rollbackSecret(vault, change, secretId, number),
    remove: (secretId: string) => deleteSecret(vault, change, secretId),
    restore: (secretId: string) => restoreSecret(vault, change, secretId),
    restoreRevision: (revision: number) => restoreRevision(vault, change, revision),
  };
};

/** A run of the rotation so many days after the start, which replaces a key pair of 90 days, or the one it is asked to. */
export const rotate = (days: number, replace?: number, vault: Vault = table) =>
  rotateVault(vault, kms, { now: day(days), maxAgeDays: 90, replace });

/** Opens a fresh vault before each test of a file; their engine stops afterwards. */
export const withTestVaults = (): void => {
  beforeAll(async () => {
    vaults = await openTestVaults();
  });
  beforeEach(async () => {
    ({ table, kms } = await vaults.open());
  });
  afterAll(() => vaults.stop());
};

/** All rows of earlier values of a secret, including those that its entry does not name. */
export const keptValues = async (table: Vault, secretId: string): Promise<EarlierValue[]> =>
  (await Array.fromAsync(rowsFrom(table, valuesPartition(table, secretId)))) as unknown as EarlierValue[];

import type { SecretEntry } from '../../../lambdas/core/vault/secrets.ts';
import type { Change } from '../../../lambdas/store/audit.ts';
import type { SignedKind } from '../../../lambdas/store/signing/rows.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import { getItem, type Item, type Key, putItem, type Table } from '../../../lambdas/store/table.ts';
import { changeVault } from '../../../lambdas/store/vault/changes.ts';
import { readPages } from '../../../lambdas/store/vault/page-rows.ts';
import type { Vault } from '../../../lambdas/store/vault/vault.ts';
import { createTestSigning } from './signing.ts';

// The attacks of someone who can write to the table but not sign.

/** Reads a raw row. */
export const rawRow = async (table: Table, key: Key): Promise<Item> => {
  const item = await getItem(table, key);
  if (item === undefined) throw new Error(`There is no row ${key.pk} / ${key.sk}.`);
  return item;
};

/** Writes a raw row. */
export const plantRow = putItem;

/** Changes attributes of a row without changing its signature. */
export const editRow = async (table: Table, key: Key, changes: Item): Promise<void> =>
  plantRow(table, { ...(await rawRow(table, key)), ...changes });

/** The table for someone who signs with their own key. */
export const withForeignKey = <T extends Table>(table: T): T => ({ ...table, signing: createTestSigning() });

/** Changes what a signed row holds, and signs it again: for states that take long to come about. */
export const resignRow = async <Entity>(
  table: Table,
  kind: SignedKind<Entity>,
  key: Key,
  changes: Partial<Entity>,
): Promise<void> => {
  const entity = kind.fromItem(await rawRow(table, key));
  await plantRow(table, { ...(await signedItem(table, kind, { ...entity, ...changes })), ...key });
};

/** Changes entries of the vault in a separate change, which is signed. */
export const rewriteEntries = (
  table: Vault,
  change: Change,
  rewrite: (entry: SecretEntry) => SecretEntry,
): Promise<void> =>
  changeVault(table, change, async (head) => {
    const before = await readPages(table, head.pages);
    const after = before.map((page) => ({ ...page, entries: page.entries.map(rewrite) }));
    return { before, after, result: undefined };
  });

import { DEFAULT_ENVIRONMENT } from '../../../contract/fields/patterns.ts';
import { inBatches } from '../../core/batches.ts';
import { inParallel } from '../../core/parallel.ts';
import { restorable } from '../../core/restoring.ts';
import type { EarlierValue, SecretEntry } from '../../core/vault/secrets.ts';
import { type SecretSummary, summaryOf } from '../../core/vault/values.ts';
import type { Table } from '../table.ts';
import { retryOnConflict } from '../transactions.ts';
import { createDeletedLookup, type DeletedSecret, listDeletions } from '../vault/deleted.ts';
import { ENVIRONMENTS_KEY } from '../vault/environments.ts';
import { readVaultHead, type VaultHead, vaultHeadKey } from '../vault/head.ts';
import { allEntries, locationOf } from '../vault/locations.ts';
import { earlierValues } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { currentVaults } from '../vault/vaults.ts';

/** Reads with one head, and again with the next if that head's pages are gone. */
const underHead = <Result>(
  vault: Vault,
  read: (head: VaultHead) => Promise<Result>,
  first?: VaultHead,
): Promise<Result> => {
  let seen = first;
  return retryOnConflict(async () => {
    const head = seen ?? (await readVaultHead(vault));
    seen = undefined;
    return read(head);
  });
};

/** All secrets of one revision, by key, and its head. */
export const readEntries = (
  vault: Vault,
): Promise<{ readonly head: VaultHead; readonly entries: readonly SecretEntry[] }> =>
  underHead(vault, async (head) => ({ head, entries: await allEntries(vault, head) }));

/** All secrets of one revision, by key, without their values. */
export const listSecrets = async (vault: Vault): Promise<SecretSummary[]> =>
  (await readEntries(vault)).entries.map((entry) => summaryOf(vault, entry));

/** The rows that lead to the vaults of most installations, to be read ahead. */
export const VAULT_ROWS = [ENVIRONMENTS_KEY, vaultHeadKey({ environment: DEFAULT_ENVIRONMENT })];

/** A secret with its environment. */
export type PlacedEntry = SecretEntry & Pick<Vault, 'environment'>;

/**
 * Reads the heads of all vaults. Returns a function that reads their secrets, by environment and key, in one call with
 * what else is read at that moment.
 */
export const openVaults = async (table: Table): Promise<() => Promise<PlacedEntry[]>> => {
  const opened = await inParallel(await currentVaults(table), async (vault) => ({
    vault,
    head: await readVaultHead(vault),
  }));
  const entriesOf = async ({ vault, head }: (typeof opened)[number]) => {
    const entries = await underHead(vault, (current) => allEntries(vault, current), head);
    return entries.map((entry) => ({ ...entry, environment: vault.environment }));
  };
  return async () => (await Promise.all(opened.map(entriesOf))).flat();
};

/** What a function finds in the vaults of all environments, in their order. */
export const inEveryVault = async <Result>(
  table: Table,
  find: (vault: Vault) => Promise<readonly Result[]>,
): Promise<Result[]> => (await inParallel(await currentVaults(table), find)).flat();

/** An earlier value, without the value itself. */
export type ValueSummary = Omit<EarlierValue, 'box' | 'bytes' | 'keyVersion'>;

/**
 * A secret and the earlier values that it can be rolled back to, most recently replaced first; both from one revision,
 * without the values themselves.
 */
export const findSecret = (vault: Vault, secretId: string) =>
  underHead(vault, async (head) => {
    const { entry } = await locationOf(vault, head, secretId);
    const values = await earlierValues(vault, entry);
    return {
      secret: summaryOf(vault, entry),
      values: values.map(({ box: _box, bytes: _bytes, keyVersion: _version, ...rest }) => rest),
    };
  });

/** A deleted secret, without its value. */
export interface DeletedSummary extends SecretSummary {
  readonly deletedAt: string;
  readonly deletedBy: string;
}

/** The secrets that can be restored at `now`, with their values. */
export const listDeletedEntries = (vault: Vault, now: Date): Promise<DeletedSecret[]> =>
  underHead(vault, async (head) => {
    const live = new Set((await allEntries(vault, head)).map(({ secretId }) => secretId));
    const deleted: DeletedSecret[] = [];
    const lookup = createDeletedLookup(vault, head);
    const lookups = inBatches(listDeletions(vault), async (deletion) =>
      live.has(deletion.secretId) ? undefined : lookup(deletion),
    );
    for await (const found of lookups) {
      if (found !== undefined && restorable(found.deletedAt, now)) deleted.push(found);
    }
    return deleted;
  });

/** The same without values, most recently deleted first. */
export const listDeletedSecrets = async (vault: Vault, now: Date): Promise<DeletedSummary[]> =>
  (await listDeletedEntries(vault, now))
    .map(({ entry, ...rest }) => ({ ...summaryOf(vault, entry), ...rest }))
    .sort((a, b) => (a.deletedAt < b.deletedAt ? 1 : -1));

import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { DAY_MS } from '../../core/days.ts';
import { StaleError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import type { Change } from '../audit.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Write } from '../transactions.ts';
import { applyEdit } from '../vault/changes.ts';
import { readVaultHead } from '../vault/head.ts';
import { listRevisions } from '../vault/history.ts';
import { allEntries } from '../vault/locations.ts';
import { removeValuesOf } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { findKeyPair, keyPairKey, VAULT_KEY_PAIR, type VaultKeyPair, VERSION } from './key-pairs.ts';

/** Whether a key pair replaced another one so recently that an operator's request does not replace it yet. */
export const isRecentlyRotated = (
  { keyVersion, createdAt }: Pick<VaultKeyPair, 'keyVersion' | 'createdAt'>,
  now: Date,
): boolean => keyVersion > 1 && now.getTime() - Date.parse(createdAt) < LIMITS.rotationMinutes * 60_000;

/** Whether the key pair of a box still exists. */
export const canBeOpened = async (
  vault: Vault,
  { keyVersion }: { readonly keyVersion: number },
): Promise<boolean> => (await findKeyPair(vault, keyVersion)) !== undefined;

/** All key pairs, oldest first. */
export const listKeyPairs = async (vault: Vault): Promise<VaultKeyPair[]> => {
  const items = await Array.fromAsync(rowsFrom(vault, PARTITIONS.vaultKey + vault.environment, VERSION));
  return items.map((item) => verifiedRow(vault, VAULT_KEY_PAIR, keyOfItem(item), item));
};

/** Removes a key pair in a transaction. Boxes encrypted to it can never be opened again. */
const removeKeyPair = (vault: Vault, keyVersion: number): Write => ({
  remove: { Key: keyPairKey(vault, keyVersion) },
});

/** A day longer than an earlier revision can be restored. */
const KEEP_MS = 8 * DAY_MS;

/**
 * Removes the key pairs that were replaced more than eight days ago, once no value that can still be read or restored
 * is encrypted to them. The check covers one revision, and the transaction that removes a key pair replaces the head of
 * the same revision: a change that has read an old box can no longer commit. Returns the removed versions; none if the
 * vault changed in the meantime, and the next run tries again.
 */
export const retirePairs = async (vault: Vault, change: Change): Promise<readonly number[]> => {
  const since = change.at.getTime() - KEEP_MS;
  const due = (await listKeyPairs(vault))
    .filter(({ supersededAt }) => supersededAt !== undefined && Date.parse(supersededAt) < since)
    .map(({ keyVersion }) => keyVersion);
  if (due.length === 0) return [];
  try {
    const head = await readVaultHead(vault);
    const entries = await allEntries(vault, head);
    const used = await versionsInUse(vault, entries, since);
    const unused = due.filter((version) => version !== head.keyVersion && !used.has(version));
    if (unused.length === 0) return [];
    // Nothing names these values any more. After the key pairs, a crash would leave them behind for good.
    await inParallel(entries, ({ secretId }) => removeValuesOf(vault, secretId, unused));
    return await applyEdit(vault, change, head, {
      writes: unused.map((version) => removeKeyPair(vault, version)),
      audit: { action: 'vault.retire-keys', details: { retired: unused } },
      result: unused,
    });
  } catch (error) {
    if (error instanceof StaleError) return [];
    throw error;
  }
};

/**
 * The key versions of all boxes that a read, a rollback or a restore may need: those of the current revision and of
 * earlier revisions.
 */
const versionsInUse = async (vault: Vault, entries: readonly SecretEntry[], since: number) => {
  const used = new Set(entries.flatMap((entry) => [entry, ...entry.earlier]).map((each) => each.keyVersion));
  for await (const { revision } of listRevisions(vault)) {
    if (Date.parse(revision.replacedAt) < since) continue;
    // The name of a page contains its oldest key version; the page can contain any later one.
    const oldest = Math.min(...revision.pages.map(({ keyVersion }) => keyVersion));
    for (let version = oldest; version <= revision.keyVersion; version++) used.add(version);
  }
  return used;
};

import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { verifiedRow } from '../signing/rows.ts';
import type { Write } from '../transactions.ts';
import type { Vault } from '../vault/vault.ts';
import { findKeyPair, keyPairKey, VAULT_KEY_PAIR, type VaultKeyPair, VERSION } from './key-pairs.ts';

/** Whether a key pair replaced another one so recently that an operator's request does not replace it yet. */
export const isRecentlyRotated = (
  { keyVersion, createdAt }: Pick<VaultKeyPair, 'keyVersion' | 'createdAt'>,
  now: Date,
): boolean => keyVersion > 1 && now.getTime() - Date.parse(createdAt) < LIMITS.rotationMinutes * 60_000;

/** Whether the key pair of a box still exists. Errors: `integrity`, `unavailable`. */
export const canBeOpened = async (
  vault: Vault,
  { keyVersion }: { readonly keyVersion: number },
): Promise<boolean> => (await findKeyPair(vault, keyVersion)) !== undefined;

/** All key pairs, oldest first. Errors: `integrity`, `unavailable`. */
export const listKeyPairs = async (vault: Vault): Promise<VaultKeyPair[]> => {
  const items = await Array.fromAsync(rowsFrom(vault, PARTITIONS.vaultKey + vault.environment, VERSION));
  return items.map((item) => verifiedRow(vault, VAULT_KEY_PAIR, keyOfItem(item), item));
};

/** Removes a key pair in a transaction. Boxes encrypted to it can never be opened again. */
export const removeKeyPair = (vault: Vault, keyVersion: number): Write => ({
  remove: { Key: keyPairKey(vault, keyVersion) },
});

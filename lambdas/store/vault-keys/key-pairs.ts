import { vaultKeyContext } from '../../../contract/functions/vault-key.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { keyOfItem, rowsFrom } from '../queries.ts';
import { bytes, number, type RowOf, signedKind, text, verifiedRow } from '../signing/rows.ts';
import { getItem, type Key, type Table } from '../table.ts';
import type { Write } from '../transactions.ts';

const VERSION = 'VERSION#';

/** The key of a pair's row. */
export const keyPairKey = (keyVersion: number): Key => ({
  pk: PARTITIONS.vaultKey,
  sk: VERSION + String(keyVersion).padStart(6, '0'),
});

/** How key pairs are stored and signed, so that nobody can add one of their own. */
export const VAULT_KEY_PAIR = signedKind({
  domain: 'vault-key-pair',
  partition: 'vaultKey',
  sk: VERSION,
  keyOf: ({ keyVersion }) => keyPairKey(keyVersion),
  revisionOf: ({ supersededAt }) => (supersededAt === undefined ? 1 : 2),
  fields: {
    keyVersion: number,
    /** SubjectPublicKeyInfo in DER. */
    publicKey: bytes,
    /** Ciphertext of KMS around PKCS #8 in DER. */
    wrappedPrivateKey: bytes,
    /** ISO 8601 in UTC. */
    createdAt: text,
  },
  optional: {
    /** When a newer key pair replaced it; absent for the current one. */
    supersededAt: text,
  },
});

/** A key pair of the vault. Boxes are encrypted to the public key; KMS wraps the private key. */
export type VaultKeyPair = RowOf<typeof VAULT_KEY_PAIR>;

/** Whether a key pair replaced another one so recently that an operator's request does not replace it yet. */
export const isRecentlyRotated = (
  { keyVersion, createdAt }: Pick<VaultKeyPair, 'keyVersion' | 'createdAt'>,
  now: Date,
): boolean => keyVersion > 1 && now.getTime() - Date.parse(createdAt) < LIMITS.rotationMinutes * 60_000;

/** The encryption context of a wrapped private key. */
export type KeyContext = Record<string, string>;

/** Unwraps a private key with KMS. */
export interface VaultUnwrap {
  readonly unwrap: (wrapped: Uint8Array, context: KeyContext) => Promise<Uint8Array>;
}

/** The KMS operations that the vault uses. */
export interface VaultKms extends VaultUnwrap {
  readonly generatePair: (
    context: KeyContext,
  ) => Promise<{ readonly publicKey: Uint8Array; readonly wrappedPrivateKey: Uint8Array }>;
}

/** The encryption context of one version of the vault's key pair. */
export const keyContext = (table: Table, keyVersion: number): KeyContext => ({
  ...vaultKeyContext(table.settings.stage),
  keyVersion: String(keyVersion),
});

/** One key pair, or undefined if it was retired. Errors: `integrity`, `unavailable`. */
export const findKeyPair = async (table: Table, keyVersion: number): Promise<VaultKeyPair | undefined> => {
  const key = keyPairKey(keyVersion);
  const item = await getItem(table, key);
  return item === undefined ? undefined : verifiedRow(table, VAULT_KEY_PAIR, key, item);
};

/** Whether the key pair of a box still exists. Errors: `integrity`, `unavailable`. */
export const canBeOpened = async (
  table: Table,
  { keyVersion }: { readonly keyVersion: number },
): Promise<boolean> => (await findKeyPair(table, keyVersion)) !== undefined;

/** All key pairs, oldest first. Errors: `integrity`, `unavailable`. */
export const listKeyPairs = async (table: Table): Promise<VaultKeyPair[]> => {
  const items = await Array.fromAsync(rowsFrom(table, PARTITIONS.vaultKey, VERSION));
  return items.map((item) => verifiedRow(table, VAULT_KEY_PAIR, keyOfItem(item), item));
};

/** Removes a key pair in a transaction. Boxes encrypted to it can never be opened again. */
export const removeKeyPair = (keyVersion: number): Write => ({ remove: { Key: keyPairKey(keyVersion) } });

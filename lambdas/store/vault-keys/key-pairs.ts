import { vaultKeyContext } from '../../../contract/functions/vault-key.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { IntegrityError } from '../../core/errors.ts';
import { memoizeAsync } from '../../core/parallel.ts';
import { BoxError, importPrivateKey, isPairOf, open, type PrivateKey } from '../../core/vault/encryption.ts';
import type { EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { bytes, getRow, number, type RowOf, signedKind, text } from '../signing/rows.ts';
import type { Key } from '../table.ts';
import { StaleHeadError } from '../vault/head.ts';
import type { Vault } from '../vault/vault.ts';

/** The beginning of the sort keys of key pairs. */
export const VERSION = 'VERSION#';

/** The key of a pair's row. */
export const keyPairKey = ({ environment }: Pick<Vault, 'environment'>, keyVersion: number): Key => ({
  pk: PARTITIONS.vaultKey + environment,
  sk: VERSION + String(keyVersion).padStart(6, '0'),
});

/** How key pairs are stored and signed, so that nobody can add one of their own. */
export const VAULT_KEY_PAIR = signedKind({
  domain: 'vault-key-pair',
  keyOf: (pair) => keyPairKey(pair, pair.keyVersion),
  revisionOf: ({ supersededAt }) => (supersededAt === undefined ? 1 : 2),
  fields: {
    environment: text,
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

/** The encryption context of a wrapped private key. */
export type KeyContext = Record<string, string>;

/** Unwraps a private key with KMS. */
export interface VaultUnwrap {
  readonly unwrap: (wrapped: Uint8Array, context: KeyContext) => Promise<Uint8Array>;
}

/** The encryption context of one version of the vault's key pair. */
export const keyContext = (vault: Vault, keyVersion: number): KeyContext => ({
  ...vaultKeyContext(vault.settings.stage),
  environment: vault.environment,
  keyVersion: String(keyVersion),
});

/** One key pair, or undefined if it was retired. */
export const findKeyPair = (vault: Vault, keyVersion: number): Promise<VaultKeyPair | undefined> =>
  getRow(vault, VAULT_KEY_PAIR, keyPairKey(vault, keyVersion));

/** Returns the private key of one version of the vault's key pair. */
export type PrivateKeys = (keyVersion: number) => Promise<PrivateKey>;

/** What a box of a vault is bound to. */
export const boxContext = (
  { environment, settings }: Vault,
  { key, secretId }: Pick<SecretEntry, 'key' | 'secretId'>,
  { number, keyVersion }: Pick<EncryptedValue, 'number' | 'keyVersion'>,
) => ({ stage: settings.stage, environment, key, secretId, number, keyVersion });

/** Opens a value of a secret; undefined if its box does not open. */
export const openValue = async (
  vault: Vault,
  privateKey: PrivateKeys,
  secret: Pick<SecretEntry, 'key' | 'secretId'>,
  value: EncryptedValue,
): Promise<string | undefined> => {
  const key = await privateKey(value.keyVersion);
  try {
    return open(key, boxContext(vault, secret, value), value.box);
  } catch (error) {
    if (error instanceof BoxError) return undefined;
    throw error;
  }
};

/**
 * Loads private keys; each is read and unwrapped by KMS once in the lifetime of the returned function, because the
 * wrapped key of a version and its encryption context never change.
 */
export const createPrivateKeys = (vault: Vault, { unwrap }: VaultUnwrap): PrivateKeys => {
  const versions = new Map<number, Promise<PrivateKey>>();
  return (keyVersion) =>
    memoizeAsync(versions, keyVersion, async () => {
      const pair = await findKeyPair(vault, keyVersion);
      if (pair === undefined) throw new StaleHeadError();
      const key = importPrivateKey(await unwrap(pair.wrappedPrivateKey, keyContext(vault, keyVersion)));
      // Boxes encrypted to the public key must open with the private key of the same row.
      if (!isPairOf(key, pair.publicKey)) {
        throw new IntegrityError(
          keyPairKey(vault, keyVersion),
          'its public key is not that of its private key',
        );
      }
      return key;
    });
};

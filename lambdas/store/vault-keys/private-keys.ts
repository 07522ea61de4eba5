import { IntegrityError } from '../../core/errors.ts';
import { importPrivateKey, isPairOf, type PrivateKey } from '../../core/vault/encryption.ts';
import type { Table } from '../table.ts';
import { StaleHeadError } from '../vault/head.ts';
import { memoizeAsync } from '../vault/memoize.ts';
import { findKeyPair, keyContext, keyPairKey, type VaultUnwrap } from './key-pairs.ts';

/**
 * Returns the private key of one version of the vault's key pair. Errors: `StaleHeadError` if it was retired,
 * `integrity`, `unavailable`.
 */
export type PrivateKeys = (keyVersion: number) => Promise<PrivateKey>;

/**
 * Loads private keys; each is read and unwrapped by KMS once in the lifetime of the returned function, because the
 * wrapped key of a version and its encryption context never change.
 */
export const createPrivateKeys = (table: Table, { unwrap }: VaultUnwrap): PrivateKeys => {
  const versions = new Map<number, Promise<PrivateKey>>();
  return (keyVersion) =>
    memoizeAsync(versions, keyVersion, async () => {
      const pair = await findKeyPair(table, keyVersion);
      if (pair === undefined) throw new StaleHeadError();
      const key = importPrivateKey(await unwrap(pair.wrappedPrivateKey, keyContext(table, keyVersion)));
      // Boxes encrypted to the public key must open with the private key of the same row.
      if (!isPairOf(key, pair.publicKey)) {
        throw new IntegrityError(keyPairKey(keyVersion), 'its public key is not that of its private key');
      }
      return key;
    });
};

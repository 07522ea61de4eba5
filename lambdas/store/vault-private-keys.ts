import { importPrivateKey, type PrivateKey } from '../core/sealing.ts';
import type { Table } from './table.ts';
import { StaleHead } from './vault-head.ts';
import { findKeyPair, keyContext, type VaultUnwrap } from './vault-key.ts';
import { remembering } from './vault-memory.ts';

/** Returns the private key of one version of the vault's key pair. Errors: `StaleHead` where it is retired, `unavailable`. */
export type PrivateKeys = (keyVersion: number) => Promise<PrivateKey>;

/**
 * Private keys, each read and unwrapped by KMS once as long as the returned function is kept: the wrapped key of a
 * version and its encryption context never change.
 */
export const createPrivateKeys = (table: Table, { unwrap }: VaultUnwrap): PrivateKeys => {
  const versions = new Map<number, Promise<PrivateKey>>();
  return (keyVersion) =>
    remembering(versions, keyVersion, async () => {
      const pair = await findKeyPair(table, keyVersion);
      if (pair === undefined) throw new StaleHead();
      return importPrivateKey(await unwrap(pair.wrappedPrivateKey, keyContext(table, keyVersion)));
    });
};

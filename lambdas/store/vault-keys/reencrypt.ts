import { inParallel } from '../../core/parallel.ts';
import { encryptValue } from '../../core/vault/encrypting.ts';

import type { PageRef } from '../../core/vault/pages.ts';
import type { EarlierRef, EncryptedValue, SecretEntry } from '../../core/vault/secrets.ts';
import { earlierRef } from '../../core/vault/values.ts';
import type { Change } from '../audit.ts';
import { retryOnConflict } from '../transactions.ts';
import { applyEdit } from '../vault/changes.ts';
import { readVaultHead, type VaultHead } from '../vault/head.ts';
import { readPage } from '../vault/page-rows.ts';
import { findValue, keepValue } from '../vault/values.ts';
import type { Vault } from '../vault/vault.ts';
import { listKeyPairs } from './all-key-pairs.ts';
import { boxContext, openValue, type PrivateKeys, type VaultKeyPair } from './key-pairs.ts';

/**
 * Re-encrypts to the current key pair every box that is encrypted to an older one: current values, and those that
 * secrets can be rolled back to. Deleted secrets keep their boxes; their key pair outlives the time in which they can
 * be restored. Seals nothing unless the current key pair's public key belongs to its private key. Returns the number of
 * new boxes, and the ids of secrets with a box that does not open, which is left unchanged.
 */
export const reencryptVault = async (vault: Vault, change: Change, privateKey: PrivateKeys) => {
  const { keyVersion } = await readVaultHead(vault);
  const pairs = await listKeyPairs(vault);
  const current = pairs.find((pair) => pair.keyVersion === keyVersion);
  if (current === undefined) throw new Error(`The vault's key pair ${keyVersion} is missing.`);
  const older = new Set(pairs.map((pair) => pair.keyVersion).filter((version) => version < keyVersion));
  if (older.size === 0) return { reencrypted: 0, unopened: [] };
  await privateKey(keyVersion);
  const reencryptor = createReencryptor(vault, current, older, privateKey);
  await reencryptPages(vault, change, keyVersion, reencryptor);
  return { reencrypted: reencryptor.reencrypted(), unopened: [...reencryptor.unopened] };
};

type Reencryptor = ReturnType<typeof createReencryptor>;

const createReencryptor = (
  vault: Vault,
  { keyVersion, publicKey }: VaultKeyPair,
  older: ReadonlySet<number>,
  privateKey: PrivateKeys,
) => {
  const unopened = new Set<string>();
  let reencrypted = 0;
  return {
    unopened,
    isOlder: (value: Pick<EncryptedValue, 'keyVersion'>) => older.has(value.keyVersion),
    reencrypted: () => reencrypted,
    /** A value's new box, or undefined if it needs none or does not open. */
    reencrypt: async (secret: SecretEntry, value: EncryptedValue) => {
      if (!older.has(value.keyVersion)) return undefined;
      const opened = await openValue(vault, privateKey, secret, value);
      if (opened === undefined) {
        unopened.add(secret.secretId);
        return undefined;
      }
      reencrypted += 1;
      const context = { ...boxContext(vault, secret, value), keyVersion };
      return { keyVersion, box: encryptValue(publicKey, context, opened) };
    },
  };
};

/** One page per change, so that concurrent writers wait little and a lost race repeats little. */
const reencryptPages = async (vault: Vault, change: Change, keyVersion: number, reencryptor: Reencryptor) => {
  const tried = new Set<string>();
  const untried = (head: VaultHead) =>
    head.pages.find((ref) => ref.keyVersion < keyVersion && !tried.has(ref.id));
  const reencryptNext = () =>
    retryOnConflict(async () => {
      const head = await readVaultHead(vault);
      const ref = untried(head);
      if (ref === undefined) return false;
      await reencryptPage(vault, change, head, ref, reencryptor);
      tried.add(ref.id);
      return true;
    });
  while (await reencryptNext());
};

const reencryptPage = async (
  vault: Vault,
  change: Change,
  head: VaultHead,
  ref: PageRef,
  reencryptor: Reencryptor,
) => {
  const page = await readPage(vault, ref);
  const entries = await inParallel(page.entries, (entry) => reencryptEntry(vault, reencryptor, entry));
  const unchanged = entries.every((entry, index) => entry === page.entries[index]);
  // An empty page has nothing to encrypt, but its name still contains the old key version.
  if (unchanged && entries.length > 0) return;
  await applyEdit(vault, change, head, { before: [page], after: [{ ...page, entries }], result: undefined });
};

/** A secret with new boxes, or the same object if it needs none. */
const reencryptEntry = async (vault: Vault, reencryptor: Reencryptor, entry: SecretEntry) => {
  const renewed = await reencryptor.reencrypt(entry, entry);
  const refs = await inParallel(entry.earlier, (ref) => reencryptEarlier(vault, reencryptor, entry, ref));
  const earlier = refs.filter((ref) => ref !== undefined);
  const isSame =
    earlier.length === refs.length && earlier.every((ref, index) => ref === entry.earlier[index]);
  return renewed === undefined && isSame ? entry : { ...entry, ...renewed, earlier };
};

/** A re-encrypted earlier value, in its own row; undefined if its row is gone. */
const reencryptEarlier = async (
  vault: Vault,
  reencryptor: Reencryptor,
  entry: SecretEntry,
  ref: EarlierRef,
): Promise<EarlierRef | undefined> => {
  if (!reencryptor.isOlder(ref)) return ref;
  const value = await findValue(vault, entry.secretId, ref);
  if (value === undefined) return undefined;
  const renewed = await reencryptor.reencrypt(entry, value);
  if (renewed === undefined) return ref;
  const reencrypted = { ...value, ...renewed };
  await keepValue(vault, entry.secretId, reencrypted);
  return earlierRef(entry.secretId, reencrypted);
};

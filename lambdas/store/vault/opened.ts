import { replyBytes } from '../../core/reply-size.ts';
import { open, type PrivateKey } from '../../core/vault/encryption.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import type { Table } from '../table.ts';
import type { VaultUnwrap } from '../vault-keys/key-pairs.ts';
import { createPrivateKeys, type PrivateKeys } from '../vault-keys/private-keys.ts';

/** How long a private key, and the values it has opened, stay in memory. */
const KEY_LIFE_MS = 5 * 60_000;

/** A secret with its value, and the size of both in a reply. */
export interface Opened {
  readonly key: string;
  readonly value: string;
  readonly replyBytes: number;
}

/**
 * Opens secrets, all or none, in the order given. Errors: `StaleHeadError` if the key pair was retired, `unavailable`;
 * any other error if a box does not open.
 */
export type Decryptor = (entries: readonly SecretEntry[]) => Promise<readonly Opened[]>;

interface Session {
  readonly ends: number;
  readonly privateKey: PrivateKeys;
  /** Dropped with the page of the entry, or with the session. */
  readonly opened: WeakMap<SecretEntry, Opened>;
}

/** Opens each box once in five minutes, after which keys and values are dropped. `now` is in milliseconds. */
export const createDecryptor = (table: Table, kms: VaultUnwrap, now: () => number): Decryptor => {
  let session: Session | undefined;
  const current = (): Session => {
    if (session === undefined || now() >= session.ends) {
      session = {
        ends: now() + KEY_LIFE_MS,
        privateKey: createPrivateKeys(table, kms),
        opened: new WeakMap(),
      };
    }
    return session;
  };
  return async (entries) => {
    const { privateKey, opened } = current();
    const versions = new Set(
      entries.filter((entry) => !opened.has(entry)).map(({ keyVersion }) => keyVersion),
    );
    const keys = new Map<number, PrivateKey>();
    for (const version of versions) keys.set(version, await privateKey(version));
    return entries.map((entry) => {
      const known = opened.get(entry);
      if (known !== undefined) return known;
      const fresh = openEntry(table, keys.get(entry.keyVersion), entry);
      opened.set(entry, fresh);
      return fresh;
    });
  };
};

// Per pair: four quotes of two bytes each, a colon and a comma.
const PUNCTUATION = 10;

const openEntry = (table: Table, key: PrivateKey | undefined, entry: SecretEntry): Opened => {
  if (key === undefined) throw new Error('The private key was dropped while it was needed.');
  const { secretId, number, keyVersion, box } = entry;
  try {
    const value = open(
      key,
      { stage: table.settings.stage, key: entry.key, secretId, number, keyVersion },
      box,
    );
    return { key: entry.key, value, replyBytes: replyBytes(entry.key) + replyBytes(value) + PUNCTUATION };
  } catch (cause) {
    throw new Error(`Value ${number} of secret ${secretId} does not open.`, { cause });
  }
};

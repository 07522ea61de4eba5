import { replyBytes } from '../../../contract/limits.ts';
import { open, type PrivateKey } from '../../core/vault/encryption.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import type { Vault } from '../vault/vault.ts';
import {
  boxContext,
  createPrivateKeys,
  type PrivateKeys,
  type VaultUnwrap,
} from '../vault-keys/key-pairs.ts';

/** How long a private key, and the values it has opened, stay in memory at most. */
const LIFE_MS = 5 * 60_000;

/** A secret with its value, and the size of both in a reply. */
export interface Opened {
  readonly key: string;
  readonly value: string;
  readonly replyBytes: number;
}

interface CachedValue {
  readonly opened: Opened;
  readonly until: number;
}

/**
 * Opens boxes, and keeps their values for two and a half to five minutes: at random, so that the call that comes after
 * does not have to open all boxes of a large vault again. Keys and values are then dropped. `now` is in milliseconds,
 * `random` from 0 to 1.
 */
export const createDecryptor = (
  vault: Vault,
  kms: VaultUnwrap,
  { now, random = Math.random }: { readonly now: () => number; readonly random?: (() => number) | undefined },
) => {
  const known = new Map<SecretEntry, CachedValue>();
  let drops = Number.POSITIVE_INFINITY;
  let keys = { until: 0, of: createPrivateKeys(vault, kms) };
  const privateKeys = (): PrivateKeys => {
    if (now() >= keys.until) keys = { until: now() + LIFE_MS, of: createPrivateKeys(vault, kms) };
    return keys.of;
  };
  const dropOld = () => {
    if (now() < drops) return;
    for (const [entry, { until }] of known) if (now() >= until) known.delete(entry);
    drops = Math.min(...[...known.values()].map(({ until }) => until));
  };
  const keep = (entry: SecretEntry, opened: Opened) => {
    const until = now() + LIFE_MS * (0.5 + random() / 2);
    known.set(entry, { opened, until });
    drops = Math.min(drops, until);
    return opened;
  };
  return {
    /** Starts to load the private key of a version if nothing is open yet, which means that it will be needed. */
    prepare: (keyVersion: number): void => {
      dropOld();
      if (known.size === 0) privateKeys()(keyVersion).catch(() => undefined);
    },
    /** Opens secrets, all or none, in the order given. */
    open: async (entries: readonly SecretEntry[]): Promise<readonly Opened[]> => {
      dropOld();
      const privateKeyOf = privateKeys();
      // Taken now: a concurrent call may drop them while keys are loaded.
      const found = entries.map((entry) => known.get(entry)?.opened);
      const closed = entries.filter((_, index) => found[index] === undefined);
      const versions = new Set(closed.map(({ keyVersion }) => keyVersion));
      const loaded = new Map(
        await Promise.all(
          [...versions].map(async (version) => [version, await privateKeyOf(version)] as const),
        ),
      );
      return entries.map(
        (entry, index) => found[index] ?? keep(entry, openEntry(vault, loaded.get(entry.keyVersion), entry)),
      );
    },
  };
};

// Per pair: four quotes of two bytes each, a colon and a comma.
const PUNCTUATION = 10;

const openEntry = (vault: Vault, key: PrivateKey | undefined, entry: SecretEntry): Opened => {
  if (key === undefined) throw new Error('The private key was dropped while it was needed.');
  try {
    const value = open(key, boxContext(vault, entry, entry), entry.box);
    return { key: entry.key, value, replyBytes: replyBytes(entry.key) + replyBytes(value) + PUNCTUATION };
  } catch (cause) {
    throw new Error(`Value ${entry.number} of secret ${entry.secretId} does not open.`, { cause });
  }
};

import { inParallel } from '../../core/parallel.ts';
import type { PageRef } from '../../core/vault/pages.ts';
import { BoxError, open, seal } from '../../core/vault/sealing.ts';
import { type EarlierRef, earlierRef, type SealedValue, type SecretEntry } from '../../core/vault/secrets.ts';
import type { Change } from '../audit.ts';
import { findValue, keepValue } from '../secrets/values.ts';
import type { Table } from '../table.ts';
import { applyEdit } from '../vault/changes.ts';
import { readHead, type VaultHead } from '../vault/head.ts';
import { readPage } from '../vault/pages.ts';
import { retryOnConflict } from '../vault/retry.ts';
import { listKeyPairs, type VaultKeyPair } from './key-pairs.ts';
import type { PrivateKeys } from './private-keys.ts';

export interface ResealReport {
  /** Number of resealed boxes. */
  readonly resealed: number;
  /** Ids of secrets with a box that does not open; it is left unchanged. */
  readonly unopened: readonly string[];
}

/**
 * Reseals to the current key pair every box that is sealed to an older one: current values, and those that secrets can
 * be rolled back to. Deleted secrets keep their boxes; their key pair outlives the time in which they can be restored.
 * Seals nothing unless the current key pair's public key belongs to its private key. Errors: `integrity`,
 * `unavailable`, `changed_meanwhile` under many concurrent changes.
 */
export const resealVault = async (
  table: Table,
  change: Change,
  privateKey: PrivateKeys,
): Promise<ResealReport> => {
  const { keyVersion } = await readHead(table);
  const pairs = await listKeyPairs(table);
  const current = pairs.find((pair) => pair.keyVersion === keyVersion);
  if (current === undefined) throw new Error(`The vault's key pair ${keyVersion} is missing.`);
  const older = new Set(pairs.map((pair) => pair.keyVersion).filter((version) => version < keyVersion));
  if (older.size === 0) return { resealed: 0, unopened: [] };
  await privateKey(keyVersion);
  const resealer = createResealer(table, current, older, privateKey);
  await resealPages(table, change, keyVersion, resealer);
  return { resealed: resealer.resealed(), unopened: [...resealer.unopened] };
};

type Fresh = Pick<SealedValue, 'box' | 'keyVersion'>;

interface Resealer {
  /** A value's new box, or undefined if it needs none or does not open. */
  readonly reseal: (secret: SecretEntry, value: SealedValue) => Promise<Fresh | undefined>;
  readonly isOlder: (value: Pick<SealedValue, 'keyVersion'>) => boolean;
  readonly resealed: () => number;
  readonly unopened: ReadonlySet<string>;
}

const createResealer = (
  table: Table,
  { keyVersion, publicKey }: VaultKeyPair,
  older: ReadonlySet<number>,
  privateKey: PrivateKeys,
): Resealer => {
  const { stage } = table.settings;
  const unopened = new Set<string>();
  let resealed = 0;
  return {
    unopened,
    isOlder: (value) => older.has(value.keyVersion),
    resealed: () => resealed,
    reseal: async ({ secretId, key: name }, { number, keyVersion: old, box }) => {
      if (!older.has(old)) return undefined;
      const key = await privateKey(old);
      try {
        const context = { stage, key: name, secretId, number };
        const value = open(key, { ...context, keyVersion: old }, box);
        resealed += 1;
        return { keyVersion, box: seal(publicKey, { ...context, keyVersion }, value) };
      } catch (error) {
        if (!(error instanceof BoxError)) throw error;
        unopened.add(secretId);
        return undefined;
      }
    },
  };
};

/** One page per change, so that concurrent writers wait little and a lost race repeats little. */
const resealPages = async (
  table: Table,
  change: Change,
  keyVersion: number,
  resealer: Resealer,
): Promise<void> => {
  const tried = new Set<string>();
  const untried = (head: VaultHead) =>
    head.pages.find((ref) => ref.keyVersion < keyVersion && !tried.has(ref.id));
  const resealNext = () =>
    retryOnConflict(async () => {
      const head = await readHead(table);
      const ref = untried(head);
      if (ref === undefined) return false;
      await resealPage(table, change, head, ref, resealer);
      tried.add(ref.id);
      return true;
    });
  while (await resealNext());
};

const resealPage = async (
  table: Table,
  change: Change,
  head: VaultHead,
  ref: PageRef,
  resealer: Resealer,
): Promise<void> => {
  const page = await readPage(table, ref);
  const entries = await inParallel(page.entries, (entry) => resealEntry(table, resealer, entry));
  const unchanged = entries.every((entry, index) => entry === page.entries[index]);
  // An empty page has nothing to seal, but its name still contains the old key version.
  if (unchanged && entries.length > 0) return;
  await applyEdit(table, change, head, { before: [page], after: [{ ...page, entries }], result: undefined });
};

/** A secret with new boxes, or the same object if it needs none. */
const resealEntry = async (table: Table, resealer: Resealer, entry: SecretEntry): Promise<SecretEntry> => {
  const fresh = await resealer.reseal(entry, entry);
  const refs = await inParallel(entry.earlier, (ref) => resealEarlier(table, resealer, entry, ref));
  const earlier = refs.filter((ref) => ref !== undefined);
  const isSame =
    earlier.length === refs.length && earlier.every((ref, index) => ref === entry.earlier[index]);
  return fresh === undefined && isSame ? entry : { ...entry, ...fresh, earlier };
};

/** A resealed earlier value, in its own row; undefined if its row is gone. */
const resealEarlier = async (
  table: Table,
  resealer: Resealer,
  entry: SecretEntry,
  ref: EarlierRef,
): Promise<EarlierRef | undefined> => {
  if (!resealer.isOlder(ref)) return ref;
  const value = await findValue(table, entry.secretId, ref);
  if (value === undefined) return undefined;
  const fresh = await resealer.reseal(entry, value);
  if (fresh === undefined) return ref;
  const resealed = { ...value, ...fresh };
  await keepValue(table, entry.secretId, resealed);
  return earlierRef(entry.secretId, resealed);
};

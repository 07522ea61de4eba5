import { inParallel } from '../../core/parallel.ts';
import { BoxError, open, seal } from '../../core/vault/sealing.ts';
import type { SealedValue, SecretEntry } from '../../core/vault/secrets.ts';
import type { Change } from '../audit.ts';
import { allEntries } from '../secrets/locations.ts';
import { keptValues, resealValue } from '../secrets/values.ts';
import type { Table } from '../table.ts';
import { applyEdit, retryOnConflict } from '../vault/changes.ts';
import { listDeleted, resealDeleted } from '../vault/deleted.ts';
import { type PageRef, readHead, type VaultHead } from '../vault/head.ts';
import { readPage } from '../vault/pages.ts';
import { listKeyPairs, type VaultKeyPair } from './key-pairs.ts';
import type { PrivateKeys } from './private-keys.ts';

export interface ResealReport {
  /** How many boxes were sealed again. */
  readonly resealed: number;
  /** Ids of the secrets of which a box does not open; it stays as it is. */
  readonly unopened: readonly string[];
}

/**
 * Seals again, to the current key pair, every box that an older pair sealed: in the pages, of deleted secrets, of earlier
 * values. Errors: `unavailable`, `changed_meanwhile` under a storm of changes.
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
  const resealer = createResealer(table, current, older, privateKey);
  await resealPages(table, change, keyVersion, resealer);
  await resealAside(table, resealer);
  return { resealed: resealer.resealed(), unopened: [...resealer.unopened] };
};

type Fresh = Pick<SealedValue, 'box' | 'keyVersion'>;

interface Resealer {
  /** A value's new box, or undefined where it needs none or does not open. */
  readonly reseal: (secretId: string, value: SealedValue) => Promise<Fresh | undefined>;
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
    resealed: () => resealed,
    reseal: async (secretId, { number, keyVersion: old, box }) => {
      if (!older.has(old)) return undefined;
      const key = await privateKey(old);
      try {
        const value = open(key, { stage, secretId, number, keyVersion: old }, box);
        resealed += 1;
        return { keyVersion, box: seal(publicKey, { stage, secretId, number, keyVersion }, value) };
      } catch (error) {
        if (!(error instanceof BoxError)) throw error;
        unopened.add(secretId);
        return undefined;
      }
    },
  };
};

/** One page a change: whoever writes at the same time waits little, and what a lost race repeats is little. */
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
  { reseal }: Resealer,
): Promise<void> => {
  const page = await readPage(table, ref);
  const entries: SecretEntry[] = [];
  for (const entry of page.entries) entries.push({ ...entry, ...(await reseal(entry.secretId, entry)) });
  const unchanged = entries.every(({ box }, index) => box === page.entries[index]?.box);
  // An empty page holds nothing to seal, but its name still tells the version of its time.
  if (unchanged && entries.length > 0) return;
  await applyEdit(table, change, head, { before: [page], after: [{ ...page, entries }], result: undefined });
};

/** What lies beside the pages: deleted secrets, and the earlier values of all. */
const resealAside = async (table: Table, { reseal }: Resealer): Promise<void> => {
  const ids = new Set((await allEntries(table, await readHead(table))).map(({ secretId }) => secretId));
  for await (const deleted of listDeleted(table)) {
    ids.add(deleted.entry.secretId);
    const fresh = await reseal(deleted.entry.secretId, deleted.entry);
    if (fresh !== undefined) await resealDeleted(table, deleted, fresh);
  }
  await inParallel(ids, async (secretId) => {
    for (const value of await keptValues(table, secretId)) {
      const fresh = await reseal(secretId, value);
      if (fresh !== undefined) await resealValue(table, secretId, value, fresh);
    }
  });
};

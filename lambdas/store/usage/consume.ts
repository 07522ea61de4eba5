import { dayIn } from '../../core/days.ts';
import { IntegrityError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import { latestOf } from '../../core/usage/counting.ts';
import { chosenFrom, digestOf } from '../../core/vault/secrets.ts';
import { keepLastUse } from '../api-keys/uses.ts';
import type { NewItem } from '../stream.ts';
import { keyText, type Table } from '../table.ts';
import { readVaultHead, StaleHeadError } from '../vault/head.ts';
import { earlierHead } from '../vault/history.ts';
import { allEntries } from '../vault/locations.ts';
import { vaultIn } from '../vault/vault.ts';
import { addToCounter } from './counters.ts';
import { type Entry, entriesOf, type SecretRead } from './entries.ts';
import { extendSecretIds, writeSecretIds } from './secret-reads.ts';

/** What could not be counted, for the log. */
export interface Leftovers {
  /** Records without a valid entry. They are skipped. */
  readonly unreadable: readonly { readonly sequence: string; readonly error: unknown }[];
  /** Digests of reads whose secrets are no longer in the vault. They are counted without their names. */
  readonly unresolved: readonly string[];
  /** Rows that do not verify, so that their reads are counted without names. They must not stop the stream. */
  readonly refused: readonly IntegrityError[];
}

/** Whether the secrets of a digest were already known, have just been written, or can no longer be found. */
type Resolution = 'known' | 'written' | 'unresolved';

/** The ids of the secrets of a read, or undefined if no secrets in the vault match its digest any more. */
const secretsOf = async (
  table: Table,
  { environment, digest, revision, filter, restriction }: SecretRead,
): Promise<string[] | undefined> => {
  const vault = vaultIn(table, environment, true);
  const head = await readVaultHead(vault);
  const headThen = head.revision === revision ? head : await earlierHead(vault, revision);
  if (headThen === undefined) return undefined;
  const chosen = chosenFrom(await allEntries(vault, headThen), filter, restriction);
  return digestOf(chosen) === digest ? chosen.map(({ secretId }) => secretId) : undefined;
};

/**
 * Makes sure that the secrets of a read's digest are recorded. If they are not, they are derived from the revision, the
 * filter and the restriction of the read.
 */
const resolveSecretIds = async (table: Table, read: SecretRead, at: Date): Promise<Resolution> => {
  if (await extendSecretIds(table, read.digest, at)) return 'known';
  try {
    const secretIds = await secretsOf(table, read);
    if (secretIds === undefined) return 'unresolved';
    await writeSecretIds(table, read.digest, secretIds, at);
    return 'written';
  } catch (error) {
    // The pages of a revision are deleted after seven days.
    if (error instanceof StaleHeadError) return 'unresolved';
    throw error;
  }
};

const RESOLVED_DIGESTS = 10_000;
/** Updates at once: a batch in which every record is of another counter must be faster than its shard is written. */
const UPDATES_AT_ONCE = 64;

const addAll = async (table: Table, entries: readonly Entry[]) => {
  await inParallel(
    Map.groupBy(entries, ({ counter }) => keyText(counter)).values(),
    async (group) => {
      if (group[0] !== undefined) await addToCounter(table, group[0].counter, group);
    },
    UPDATES_AT_ONCE,
  );
};

const keepLastUses = async (table: Table, entries: readonly Entry[]) => {
  await inParallel(
    Map.groupBy(
      entries.filter(({ failure }) => failure === undefined),
      ({ apiKeyId }) => apiKeyId,
    ),
    ([apiKeyId, used]) => keepLastUse(table, apiKeyId, latestOf(used)),
  );
};

/**
 * A consumer of the records of new access entries, failed calls and audit entries: it derives counters, last uses of
 * keys and names of secrets that were read. It can be stopped at any point and receive the same records again, in any
 * batch: each entry is counted once. If a call fails, all its records must be delivered again.
 */
export const createUsageConsumer = (table: Table) => {
  // A container resolves the names of each digest once a day.
  const resolved = new Set<string>();

  const resolveAll = async (
    entries: readonly Entry[],
  ): Promise<Pick<Leftovers, 'unresolved' | 'refused'>> => {
    const refused: IntegrityError[] = [];
    const resolveOne = async (read: SecretRead, at: string): Promise<Resolution | 'refused'> => {
      try {
        return await resolveSecretIds(table, read, new Date(at));
      } catch (error) {
        if (!(error instanceof IntegrityError)) throw error;
        refused.push(error);
        return 'refused';
      }
    };
    const reads = entries.flatMap(({ at, read }) => (read === undefined ? [] : [{ at, read }]));
    const byDigest = Map.groupBy(reads, ({ read }) => read.digest);
    const unresolved = await inParallel(byDigest, async ([digest, group]) => {
      for (const { at, read } of group) {
        const name = `${dayIn(at)} ${digest}`;
        if (resolved.has(name)) continue;
        const outcome = await resolveOne(read, at);
        if (outcome === 'unresolved') return [digest];
        if (outcome === 'refused') return [];
        if (resolved.size >= RESOLVED_DIGESTS) resolved.clear();
        resolved.add(name);
      }
      return [];
    });
    return { unresolved: unresolved.flat(), refused };
  };

  return async (records: readonly NewItem[]): Promise<Leftovers> => {
    const entries: Entry[] = [];
    const unreadable: { sequence: string; error: unknown }[] = [];
    for (const record of records) {
      try {
        entries.push(...entriesOf(record));
      } catch (error) {
        unreadable.push({ sequence: record.sequence, error });
      }
    }
    const leftovers = await resolveAll(entries);
    await keepLastUses(table, entries);
    // Last: what is given up and replayed has not been counted.
    await addAll(table, entries);
    return { unreadable, ...leftovers };
  };
};

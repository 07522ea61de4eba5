import { createHash } from 'node:crypto';
import { PARTITIONS } from '../../contract/table.ts';
import { isThrottled } from './failures.ts';
import { getItem, type Item, type Key, putItem, type Table } from './table.ts';
import { afterThrottle } from './throttled-reads.ts';

// Entries are sorted by time, and DynamoDB does not split a partition key with rising sort keys: a shard takes 1,000
// writes a second. So a throttled source of entries gets more shards for the rest of the day. A row records this before
// the first entry is written there, so readers miss no entry.

/** Number of shards of a source once it was throttled: 128,000 entries a second. */
export const WIDE_SHARDS = 128;

const ATTEMPTS = 7;
const REMEMBERED = 1_000;

const wideKey = (source: string): Key => ({ pk: PARTITIONS.entryShards + source, sk: 'WIDE' });

/** An entry without its partition key. */
export interface NewEntry {
  /** The entries of one kind and day: partition key without the shard. */
  readonly source: string;
  readonly requestId: string;
  readonly item: Item & { readonly ttl: number };
}

/** The shard for the entries of a request: 0 to `shards` - 1. */
export const shardOf = (requestId: string, shards: number): number =>
  createHash('sha256').update(requestId).digest().readUInt32BE() % shards;

/** The partition key of an entry, given the number of shards. */
export const entryPartition = ({ source, requestId }: NewEntry, shards: number): string =>
  `${source}#${shardOf(requestId, shards)}`;

type Put = (item: Item) => Promise<void>;

const widen = async ({ wideSources }: Table, put: Put, { source, item }: NewEntry): Promise<void> => {
  if (wideSources.has(source)) return;
  await put({ ...wideKey(source), ttl: item.ttl });
  if (wideSources.size >= REMEMBERED) wideSources.clear();
  wideSources.add(source);
};

const wider = (table: Table): number => Math.max(WIDE_SHARDS, table.settings.shards);

/**
 * Writes an entry. After a throttled write, its source gets more shards, and the write is repeated with jitter.
 * Errors: `unavailable`.
 */
export const putEntry = async (table: Table, entry: NewEntry): Promise<void> => {
  const { hot, settings, wideSources } = table;
  const put: Put = hot?.put ?? ((item) => putItem(table, item));
  for (let attempt = 1; ; attempt++) {
    const shards = wideSources.has(entry.source) ? wider(table) : settings.shards;
    try {
      return await put({ pk: entryPartition(entry, shards), ...entry.item });
    } catch (error) {
      if (!isThrottled(error) || attempt === ATTEMPTS) throw error;
      // If even this is throttled, the entry goes to a shard that readers always read.
      await widen(table, put, entry).catch(() => undefined);
      await afterThrottle(attempt);
    }
  }
};

/** The number of shards that the entries of a source may be in. Errors: `unavailable`. */
export const shardsOf = async (table: Table, source: string): Promise<number> =>
  (await getItem(table, wideKey(source))) === undefined ? table.settings.shards : wider(table);

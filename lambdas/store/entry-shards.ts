import { hash } from 'node:crypto';
import { PARTITIONS } from '../../contract/table.ts';
import { DAY_MS } from '../core/days.ts';
import { retryThrottled } from './failures.ts';
import { getItem, type Item, type Key, putItemOnce, type Table } from './table.ts';

// Entries are sorted by time, and DynamoDB does not split a partition key with rising sort keys: a shard takes 1,000
// writes a second. So a throttled source of entries gets more shards for the rest of its day or month. A row records this before
// the first entry is written there, so readers miss no entry.

const SHARDS = 4;
/** Number of shards of a source once it was throttled: 128,000 entries a second. */
export const WIDE_SHARDS = 128;

const KNOWN_SOURCES = 1_000;
/** From the first to the last entry of a source: at most a month. */
const LONGEST_SECONDS = (31 * DAY_MS) / 1_000;

/** The key of the row that says that a source has more shards. */
export const wideKey = (source: string): Key => ({ pk: PARTITIONS.entryShards + source, sk: 'WIDE' });

/** The source of the reads of secrets in a month (`YYYY-MM`). */
export const readsOf = (month: string): string => PARTITIONS.auditRead + month;

/** An entry without its partition key. */
export interface NewEntry {
  /** The entries of one kind and day, or month: partition key without the shard. */
  readonly source: string;
  readonly requestId: string;
  readonly item: Item & { readonly ttl: number };
}

/** The partition key of an entry. */
export const entryPartition = ({ source, requestId }: NewEntry, shards = SHARDS): string =>
  `${source}#${hash('sha256', requestId, 'buffer').readUInt32BE() % shards}`;

const widen = async (table: Table, { source, item }: NewEntry) => {
  const { wideSources } = table;
  if (wideSources.has(source)) return;
  await putItemOnce(table, { ...wideKey(source), ttl: item.ttl + LONGEST_SECONDS });
  if (wideSources.size >= KNOWN_SOURCES) wideSources.clear();
  wideSources.add(source);
};

/** Writes an entry. After a throttled write, its source gets more shards, and the write is repeated with jitter. */
export const putEntry = (table: Table, entry: NewEntry): Promise<void> => {
  const put = () => {
    const shards = table.wideSources.has(entry.source) ? WIDE_SHARDS : SHARDS;
    return putItemOnce(table, { pk: entryPartition(entry, shards), ...entry.item });
  };
  // If even this is throttled, the entry goes to a shard that readers always read.
  return retryThrottled(put, () => widen(table, entry).catch(() => undefined));
};

/** The partitions that the entries of a source may be in. */
export const shardsOf = async (table: Table, source: string): Promise<string[]> => {
  const row = await getItem(table, wideKey(source));
  const length = row === undefined ? SHARDS : WIDE_SHARDS;
  return Array.from({ length }, (_, shard) => `${source}#${shard}`);
};

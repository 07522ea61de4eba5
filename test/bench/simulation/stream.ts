import type { Consumer } from '../../../contract/functions/consumers.ts';
import { WIDE_SHARDS } from '../../../lambdas/store/entry-shards.ts';

/** The writes of the table that its stream carries. */
export interface StreamLoad {
  /** Entries of one prompt, or of one vault, a second; if `varied`, of so many prompts that each is of another counter. */
  readonly entriesPerSecond: number;
  /** Bytes of an entry's record in an event. */
  readonly recordBytes: number;
  /** Shards of the entries until they are throttled. */
  readonly entryShards: number;
  /** Writes a second that a partition serves. */
  readonly writeUnits: number;
  readonly seconds: number;
  readonly varied?: boolean;
}

export interface StreamOutcome {
  /** Shards of the stream: one for each partition of the table that takes writes. */
  readonly shards: number;
  /** Records in a batch at most. */
  readonly batchRecords: number;
  /** Batches a second over all shards; each of `usage-count` updates the counter once. */
  readonly batchesPerSecond: number;
  /** From the write of a record to the end of its batch, in milliseconds. */
  readonly medianMs: number;
  readonly maximumMs: number;
}

/** How Lambda reads a shard: "Using AWS Lambda with DynamoDB" and `GetRecords`, as documented in November 2025. */
const POLL_MS = 250;
const PAGE_RECORDS = 1_000;
const PAGE_BYTES = 1_000_000;
const PAYLOAD_BYTES = 6_000_000;
/** Assumed: what a batch takes, and each record in it. */
const BATCH_MS = 300;
const RECORD_MS = 0.05;
/** A record of another counter than all others: measured with 10,000 prompts and one processor, as the consumer has. */
const VARIED_MS = 0.42;
/** Every second, a change is written to the audit log. */
const CHANGE_MS = 1_000;

/** Records of one moment. */
interface Written {
  readonly at: number;
  readonly count: number;
  readonly isChange: boolean;
}

/** As few partitions as the limit of their writes allows: the busiest shard then has the most records. */
const partitionsOf = ({ entriesPerSecond, entryShards, writeUnits, varied }: StreamLoad) => {
  if (varied === true) {
    const shards = Math.ceil(entriesPerSecond / writeUnits);
    return { shards, perSecond: entriesPerSecond / shards };
  }
  const keys = entriesPerSecond > entryShards * writeUnits ? WIDE_SHARDS : entryShards;
  const ofKey = entriesPerSecond / keys;
  const together = Math.max(1, Math.min(keys, Math.floor(writeUnits / ofKey)));
  return { shards: Math.ceil(keys / together), perSecond: together * ofKey };
};

const quantile = (lags: readonly (readonly [ms: number, count: number])[], part: number): number => {
  const sorted = lags.toSorted(([a], [b]) => a - b);
  let left = part * sorted.reduce((sum, [, count]) => sum + count, 0);
  for (const [ms, count] of sorted) {
    left -= count;
    if (left <= 0) return ms;
  }
  return Number.NaN;
};

/** Takes up to so many records from the beginning of a queue. */
const take = (queue: Written[], most: number): Written[] => {
  const taken: Written[] = [];
  for (let room = most; room > 0; ) {
    const [first] = queue;
    if (first === undefined) break;
    const count = Math.min(room, first.count);
    taken.push({ ...first, count });
    if (count === first.count) queue.shift();
    else queue[0] = { ...first, count: first.count - count };
    room -= count;
  }
  return taken;
};

const countOf = (written: readonly Written[]): number => written.reduce((sum, { count }) => sum + count, 0);

/**
 * Runs the busiest shard of the table's stream against one consumer, one batch at a time. A filter drops what is not for
 * the consumer, but only after it was read. Each consumer reads on its own: two of them do not delay each other.
 */
export const simulateStream = (consumer: Consumer, load: StreamLoad): StreamOutcome => {
  const { shards, perSecond } = partitionsOf(load);
  const isWanted = ({ isChange }: Written): boolean => consumer.inserts.includes('access') !== isChange;
  const page = Math.min(PAGE_RECORDS, Math.floor(PAGE_BYTES / load.recordBytes));
  const most = Math.min(consumer.batchRecords, Math.floor(PAYLOAD_BYTES / load.recordBytes));
  const queue: Written[] = [];
  const lags: [ms: number, count: number][] = [];
  let batch: Written[] = [];
  let [windowEnds, freeAt, batches, batchRecords] = [0, 0, 0, 0];

  const invoke = (now: number): void => {
    const records = take(batch, most);
    const count = countOf(records);
    freeAt = now + BATCH_MS + (load.varied === true ? VARIED_MS : RECORD_MS) * count;
    for (const each of records) lags.push([freeAt - each.at, each.count]);
    batchRecords = Math.max(batchRecords, Math.round(count));
    batches += 1;
    windowEnds = freeAt + consumer.windowSeconds * 1_000;
  };

  for (let now = POLL_MS; now <= load.seconds * 1_000; now += POLL_MS) {
    queue.push({ at: now - POLL_MS, count: (perSecond * POLL_MS) / 1_000, isChange: false });
    if (now % CHANGE_MS === 0) queue.push({ at: now - POLL_MS, count: 1, isChange: true });
    if (now < freeAt) continue;
    const read = take(queue, page).filter(isWanted);
    if (batch.length === 0 && read.length > 0)
      windowEnds = Math.max(now, freeAt) + consumer.windowSeconds * 1_000;
    batch = [...batch, ...read];
    if (batch.length > 0 && (now >= windowEnds || countOf(batch) >= most)) invoke(now);
  }
  const [medianMs, maximumMs] = [quantile(lags, 0.5), quantile(lags, 1)];
  // A change is in one partition; entries are in all of them.
  const busy = consumer.inserts.includes('access') ? shards : 1;
  return { shards, batchRecords, batchesPerSecond: (busy * batches) / load.seconds, medianMs, maximumMs };
};

import { merged } from '../../core/batches.ts';
import { dayOf, monthIn } from '../../core/days.ts';
import { monthAfter } from '../../core/lists/day-ranges.ts';
import { inLogOrder, type SealedEntry, toEntry } from '../../core/seal/entries.ts';
import { compressEntries } from '../../core/seal/sealed-object.ts';
import { auditPartitions } from '../audit-log.ts';
import { inRange, queryItems } from '../queries.ts';
import type { Table } from '../table.ts';

/** Each object holds about this many bytes of entries at most, before compression. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Rows that are read ahead, over all partitions. */
const READ_AHEAD = 20_000;

/**
 * The audit entries from a time on and before another (ISO 8601 in UTC), in the order of the log. Memory holds one page
 * of each partition.
 */
async function* entriesBetween(table: Table, from: string, to: string): AsyncGenerator<SealedEntry> {
  for (let start = from; monthIn(start) <= monthIn(to); start = nextMonth(start)) {
    const partitions = await auditPartitions(table, monthIn(start));
    const limit = Math.ceil(READ_AHEAD / partitions.length);
    const next = nextMonth(start);
    const before = next < to ? next : to;
    const sorted = partitions.map((pk) => entriesIn(table, pk, start, before, limit));
    yield* merged(sorted, inLogOrder);
  }
}

const nextMonth = (time: string): string => dayOf(monthAfter(new Date(monthIn(time))));

async function* entriesIn(
  table: Table,
  pk: string,
  from: string,
  to: string,
  Limit: number,
): AsyncGenerator<SealedEntry> {
  for await (const item of queryItems(table, { ...inRange(pk, from, to), Limit })) yield toEntry(item);
}

/** Entries of a range of time, compressed. */
export interface Pending {
  readonly compressed: Buffer;
  readonly entries: number;
  /** The end of the range, excluded: earlier than asked for if there are too many entries. */
  readonly to: string;
}

/** Compresses the audit entries from a time on and before another, about `mostBytes` of them at most. */
export const pendingEntries = async (table: Table, from: string, to: string, mostBytes = MOST_BYTES) => {
  let entries = 0;
  let bytes = 0;
  let last = '';
  let end = to;
  async function* fitting() {
    for await (const entry of entriesBetween(table, from, to)) {
      bytes += entry.line.length;
      const at = timeOf(entry);
      // Entries of one millisecond stay together.
      if (bytes > mostBytes && entries > 0 && at > last) {
        end = at;
        return;
      }
      entries++;
      last = at;
      yield entry;
    }
  }
  const compressed = await compressEntries(fitting());
  return { compressed, entries, to: end };
};

const timeOf = ({ sk }: SealedEntry): string => sk.split('#')[0] ?? '';

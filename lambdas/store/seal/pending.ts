import { dayAfter } from '../../core/days.ts';
import { merged } from '../../core/parallel.ts';
import { inLogOrder, type SealedEntry, toEntry } from '../../core/seal/entries.ts';
import { auditEntriesBetween, auditPartitions } from '../audit-log.ts';
import type { Table } from '../table.ts';

/** Entries of a range of time. */
export interface Pending {
  readonly entries: readonly SealedEntry[];
  /** The end of the range, excluded: earlier than asked for if there are too many entries. */
  readonly to: string;
}

/** Each object holds about this many bytes of entries at most, before compression. */
const MOST_BYTES = 32 * 1024 * 1024;

async function* entriesIn(table: Table, pk: string, from: string, to: string): AsyncGenerator<SealedEntry> {
  for await (const item of auditEntriesBetween(table, pk, from, to)) yield toEntry(item);
}

/**
 * The audit entries from a time on and before another (ISO 8601 in UTC), in the order of the log. Errors: `unavailable`.
 */
export const pendingEntries = async (
  table: Table,
  from: string,
  to: string,
  mostBytes = MOST_BYTES,
): Promise<Pending> => {
  const entries: SealedEntry[] = [];
  let bytes = 0;
  for (let day = from.slice(0, 10); day <= to.slice(0, 10); day = dayAfter(day)) {
    const next = dayAfter(day);
    const start = day > from ? day : from;
    const end = next < to ? next : to;
    const partitions = await auditPartitions(table, day);
    const sorted = partitions.map((pk) => entriesIn(table, pk, start, end));
    for await (const entry of merged(sorted, inLogOrder)) {
      bytes += entry.line.length;
      const at = timeOf(entry);
      if (bytes > mostBytes && at > timeOf(entries.at(-1))) return { entries, to: at };
      entries.push(entry);
    }
  }
  return { entries, to };
};

const timeOf = (entry: SealedEntry | undefined): string => entry?.sk.split('#')[0] ?? '';

import { merged } from '../../core/batches.ts';
import { dayOf, monthIn } from '../../core/days.ts';
import { monthAfter } from '../../core/lists/day-ranges.ts';
import { inLogOrder, type SealedEntry, toEntry } from '../../core/seal/entries.ts';
import {
  compressEntries,
  encodeObject,
  objectKey,
  type Seal,
  sha256,
} from '../../core/seal/sealed-object.ts';
import { auditPartitions } from '../audit-log.ts';
import { inRange, queryItems } from '../queries.ts';
import { SIGNATURE } from '../signing/rows.ts';
import { signedItem } from '../signing/writes.ts';
import type { Table } from '../table.ts';
import { type Chain, findChain, keepLast, type LogProblem } from './chain.ts';
import type { SealedLog } from './sealed-log.ts';
import { SEAL } from './seals.ts';

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

const nextMonth = (time: string) => dayOf(monthAfter(new Date(monthIn(time))));

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
interface Pending {
  readonly compressed: Buffer;
  readonly entries: number;
  /** The end of the range, excluded: earlier than asked for if there are too many entries. */
  readonly to: string;
}

/** Compresses the audit entries from a time on and before another, about `mostBytes` of them at most. */
const pendingEntries = async (table: Table, from: string, to: string, mostBytes = MOST_BYTES) => {
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

const timeOf = ({ sk }: SealedEntry) => sk.split('#')[0] ?? '';

/** Entries are sealed at this age. An entry's time is when it is written, or when its request of at most 30 seconds began. */
const SETTLED_MS = 5 * 60_000;

export interface SealReport {
  readonly objects: number;
  /** Number of entries in them. */
  readonly entries: number;
  /** Number of the last object, 0 if there is none. */
  readonly last: number;
  /** Whether another run added an object first; it continues. */
  readonly overtaken: boolean;
  readonly problems: readonly LogProblem[];
}

export interface SealOptions {
  readonly now: Date;
  /** Bytes of entries in one object, before compression. @default 32 MB */
  readonly mostBytes?: number | undefined;
}

/** Returns undefined if another run was faster. */
const addObject = async (table: Table, log: SealedLog, seal: Seal, compressed: Buffer) => {
  const signature = (await signedItem(table, SEAL, seal))[SIGNATURE] as Uint8Array;
  const signed = { ...seal, signature };
  const bytes = encodeObject(table.settings.stage, signed, compressed);
  if (!(await log.add(objectKey(seal), bytes))) return undefined;
  await keepLast(table, signed);
  return { seal: signed, digest: sha256(bytes) };
};

const nextSeal = (
  table: Table,
  { end, number, from }: Omit<Chain, 'problems'>,
  { compressed, entries, to }: Pending,
  now: Date,
): Seal => ({
  number,
  from,
  to,
  sealedAt: now.toISOString(),
  previous: end?.digest ?? '',
  entries,
  digest: sha256(compressed),
  shortestDays: Math.min(end?.seal.shortestDays ?? Number.POSITIVE_INFINITY, table.settings.auditDays),
});

/**
 * Seals the audit entries up to five minutes before `now`: adds one object to the log, or several if there are many
 * entries. It can be stopped at any point and run twice at once: the log never forks, and the next run continues.
 */
export const sealAudit = async (
  table: Table,
  log: SealedLog,
  { now, mostBytes }: SealOptions,
): Promise<SealReport> => {
  const to = new Date(now.getTime() - SETTLED_MS).toISOString();
  const chain = await findChain(table, log, now);
  if (chain === undefined) return { objects: 0, entries: 0, last: 0, overtaken: false, problems: [] };
  const { problems } = chain;
  let { end, number, from } = chain;
  let objects = 0;
  let entries = 0;
  let overtaken = false;
  while (from < to && !overtaken) {
    const pending = await pendingEntries(table, from, to, mostBytes);
    const seal = nextSeal(table, { end, number, from }, pending, now);
    const added = await addObject(table, log, seal, pending.compressed);
    if (added === undefined) overtaken = true;
    else {
      end = added;
      number++;
      from = seal.to;
      objects++;
      entries += seal.entries;
    }
  }
  return { objects, entries, last: end?.seal.number ?? 0, overtaken, problems };
};

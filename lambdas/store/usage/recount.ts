import { PARTITIONS } from '../../../contract/table.ts';
import { dayOf, daysAfter, expiresAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { latestOf } from '../../core/usage/counting.ts';
import { lastDays } from '../daily-cache.ts';
import { shardsOf } from '../entry-shards.ts';
import { allPrompts } from '../prompts/all-prompts.ts';
import { listDeleted } from '../prompts/deletions.ts';
import { inPartition, keyOfItem, queryItems, rowsFrom } from '../queries.ts';
import { type Key, putItem, type Table } from '../table.ts';
import { deleteItem } from '../updates.ts';
import { type Entry, entryOf } from './entries.ts';

/** The result of a recount, over all days. */
export interface Recount {
  readonly days: number;
  readonly entries: number;
  readonly counters: number;
  /** Removed counters, for which there were no entries. */
  readonly removed: number;
}

/** Maximum number of deleted prompts to read; others are only recounted if their counters still exist. */
const DELETED = 1_000;
/** Entries of a recount have no position in the stream. */
const NO_POSITION = '';

/** Ids of the prompts that may have entries on a day: those that exist, and those that have counters. */
const knownPrompts = async (table: Table, now: Date): Promise<string[]> => {
  const live = (await Array.fromAsync(allPrompts(table))).map(({ promptId }) => promptId);
  const { items } = await listDeleted(table, now, DELETED);
  return [...live, ...items.map(({ promptId }) => promptId)];
};

/** The entries of partitions before a time, shard by shard. */
const entriesIn = async (table: Table, starts: readonly string[], before: string): Promise<Entry[]> => {
  const shards = await inParallel(starts, async (start) => {
    const length = await shardsOf(table, start);
    return Array.from({ length }, (_, shard) => `${start}#${shard}`);
  });
  const partitions = shards.flat();
  const found = await inParallel(partitions, async (pk) => {
    const query = inPartition(pk, 'sk < :before', { ':before': before });
    const items = await Array.fromAsync(queryItems(table, query));
    return items.map((after) => entryOf({ after, sequence: NO_POSITION }));
  });
  return found.flat();
};

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Whether the table still has all entries that it has kept for these days. */
const isKept = (day: string, days: number, until: string): boolean =>
  day > dayOf(daysAfter(new Date(until), -days));

const recountDay = async (table: Table, day: string, prompts: readonly string[], until: string) => {
  const { accessDays, readDays } = table.settings;
  const [usage, reads] = [PARTITIONS.usage + day, PARTITIONS.vaultUse + day];
  const kept = [
    ...(isKept(day, accessDays, until) ? [usage] : []),
    ...(isKept(day, readDays, until) ? [reads] : []),
  ];
  const counters = (await Promise.all(kept.map((pk) => Array.fromAsync(rowsFrom(table, pk))))).flat();
  const keys = counters.map(keyOfItem);
  const counted = keys.filter(({ pk }) => pk === usage).map(({ sk }) => sk.split('#')[0] ?? '');
  const accesses = [...new Set([...prompts, ...counted])].map((id) => `${PARTITIONS.access}${id}#${day}`);
  const sources = [
    ...(kept.includes(usage) ? accesses : []),
    ...(kept.includes(reads) ? [PARTITIONS.auditRead + day] : []),
  ];
  const entries = await entriesIn(table, sources, until);
  const groups = Map.groupBy(entries, ({ counter }) => nameOf(counter));
  await inParallel(groups.values(), async (group) => {
    const lastAt = latestOf(group);
    const ttl = expiresAfter(new Date(lastAt), table.settings.accessDays);
    const [first] = group;
    if (first === undefined) return;
    await putItem(table, { ...first.counter, count: group.length, lastAt, ttl, recountedTo: until });
  });
  const empty = keys.filter((key) => !groups.has(nameOf(key)));
  await inParallel(empty, (key) => deleteItem(table, key));
  return { entries: entries.length, counters: groups.size, removed: empty.length };
};

/**
 * Counts the entries of the last `days` days again and replaces the counters. Counters of days whose entries have begun
 * to expire stay as they are. Call it only while the stream's consumer
 * is paused, with an `until` after the pause began and before which no running request started: this function counts
 * the entries before it, the stream's consumer those after it. Errors: `unavailable`; then run it again before the
 * consumer resumes.
 */
export const recount = async (table: Table, days: number, until: Date): Promise<Recount> => {
  const prompts = await knownPrompts(table, until);
  const done: Awaited<ReturnType<typeof recountDay>>[] = [];
  for (const day of lastDays(days, until)) {
    done.push(await recountDay(table, day, prompts, until.toISOString()));
  }
  const sumOf = (name: 'entries' | 'counters' | 'removed') => done.reduce((sum, each) => sum + each[name], 0);
  return { days, entries: sumOf('entries'), counters: sumOf('counters'), removed: sumOf('removed') };
};

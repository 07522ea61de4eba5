import { later, monthIn, monthOf } from '../../core/days.ts';
import { type Days, monthAfter, monthBefore } from '../../core/lists/day-ranges.ts';
import { decodeEntryCursor, encodeCursor, type Paging, withinPage } from '../../core/lists/lists.ts';
import { shardsOf } from '../entry-shards.ts';
import type { QueryPage } from '../pages.ts';
import { isAboveReserved } from '../prompts/head.ts';
import { inRange, queryItems, unsignedKind } from '../queries.ts';
import type { Item, Table } from '../table.ts';
import { type AccessEntry, sourceOf } from './accesses.ts';
import type { PromptLife } from './counters.ts';

/** How entries are read. */
export const ACCESS_ENTRY = unsignedKind<AccessEntry>('metaProperties');

/** The days (UTC, `YYYY-MM-DD`, both included) and the number of entries. */
export type AccessRange = Days & Paging;

/** A page ends after this many months, even if it is not full: a month takes five calls, also without entries. */
const PAGE_MONTHS = 2;

/**
 * One page of the access history of a prompt, newest first, with its shards merged. It reads back month by month until
 * it has `limit` entries, reaches `from`, or has read two months; then its cursor continues. A page of large entries
 * ends earlier.
 */
export const listAccesses = async (
  table: Table,
  promptId: string,
  { from, to, limit, cursor }: AccessRange,
): Promise<QueryPage<AccessEntry>> => {
  const before = cursor === undefined ? `${to}~` : decodeEntryCursor(cursor, to);
  const found: Item[] = [];
  let month = monthIn(before);
  for (let n = 0; n < PAGE_MONTHS && month >= monthIn(from) && found.length < limit; n++) {
    found.push(...(await newestOfMonth(table, promptId, month, from, before, limit - found.length)));
    month = monthBefore(month);
  }
  const page = withinPage(found);
  const last = found.length < limit && page.length === found.length ? undefined : page.at(-1);
  const read = month >= monthIn(from) ? endOf(month) : undefined;
  const position = last === undefined ? read : String(last.sk);
  return {
    items: page.map(ACCESS_ENTRY.fromItem),
    cursor: position && encodeCursor(position),
  };
};

/** A position after all entries of a month, in the form of a sort key. */
const endOf = (month: string) =>
  `${new Date(monthAfter(new Date(month)).getTime() - 1).toISOString()}#${'z'.repeat(40)}`;

/** The newest entries of a month from a day or time on and before a sort key, over all shards. */
const newestOfMonth = async (
  table: Table,
  promptId: string,
  month: string,
  from: string,
  before: string,
  limit: number,
) => {
  const shards = await shardsOf(table, sourceOf(promptId, month));
  const read = await Promise.all(shards.map((pk) => newestOfShard(table, pk, from, before, limit)));
  return read
    .flat()
    .sort((a, b) => (String(a.sk) > String(b.sk) ? -1 : 1))
    .slice(0, limit);
};

/**
 * The entries of a prompt since it was created, from `since` up to `now`, unordered; at most the latest `most`, with the
 * time since which they are complete (ISO 8601 in UTC).
 */
export const recentAccesses = async (
  table: Table,
  head: PromptLife,
  since: string,
  now: Date,
  most: number,
): Promise<{ readonly since: string; readonly entries: readonly AccessEntry[] }> => {
  const found: Item[] = [];
  let from = later(since, head.createdAt);
  for (let month = monthOf(now); month >= monthIn(from); month = monthBefore(month)) {
    const shards = await shardsOf(table, sourceOf(head.promptId, month));
    const room = Math.ceil((most - found.length) / shards.length);
    if (room <= 0) {
      from = monthAfter(new Date(month)).toISOString();
      break;
    }
    const read = await Promise.all(shards.map((pk) => newestOfShard(table, pk, from, `${month}~`, room)));
    // A shard that returned as many as requested may have earlier entries; nothing before its last entry is complete.
    for (const items of read) if (items.length === room) from = later(from, String(items.at(-1)?.time));
    found.push(...read.flat());
  }
  const entries = found
    .map(ACCESS_ENTRY.fromItem)
    .filter(({ time, version }) => time >= from && isAboveReserved(head, version));
  return { since: from, entries };
};

const newestOfShard = async (table: Table, pk: string, from: string, before: string, limit: number) => {
  // DynamoDB refuses a range that ends before it begins.
  if (before < from) return [];
  const items: Item[] = [];
  // `before` itself, the last entry of the page before, is in the range.
  const query = { ...inRange(pk, from, before), ScanIndexForward: false, Limit: limit + 1 };
  for await (const item of queryItems(table, query)) {
    if (item.sk === before) continue;
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
};

import { dayAfter, dayBefore, dayOf, later } from '../../core/days.ts';
import { decodeEntryCursor, encodeCursor } from '../../core/lists/cursors.ts';
import { withinPage } from '../../core/lists/lists.ts';
import { shardsOf } from '../entry-shards.ts';
import { inPartition, type QueryPage, queryItems } from '../queries.ts';
import type { Item, Table } from '../table.ts';
import { type Access, sourceOf } from './accesses.ts';

/** An entry of the access history. `time` is ISO 8601 in UTC. */
export interface AccessEntry extends Omit<Access, 'at'> {
  readonly time: string;
}

const fromItem = ({ pk, sk, ttl, ...item }: Item): AccessEntry =>
  ({ ...item, metaProperties: JSON.parse(String(item.metaProperties)) }) as unknown as AccessEntry;

/** The days (UTC, `YYYY-MM-DD`, both included) and the number of entries. */
export interface AccessRange {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * One page of the access history of a prompt, newest first, with its shards merged. It reads back day by day until it
 * has `limit` entries or reaches `from`. A page of large entries ends earlier. Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listAccesses = async (
  table: Table,
  promptId: string,
  { from, to, limit, cursor }: AccessRange,
): Promise<QueryPage<AccessEntry>> => {
  const before = cursor === undefined ? undefined : decodeEntryCursor(cursor, to);
  const found: Item[] = [];
  for (let day = before?.slice(0, 10) ?? to; day >= from && found.length < limit; day = dayBefore(day)) {
    found.push(...(await newestOfDay(table, promptId, day, before ?? `${day}~`, limit - found.length)));
  }
  const page = withinPage(found);
  const last = found.length < limit && page.length === found.length ? undefined : page.at(-1);
  return {
    items: page.map(fromItem),
    ...(last === undefined ? {} : { cursor: encodeCursor(last.sk) }),
  };
};

/** The newest entries of a day before a sort key, over all shards. */
const newestOfDay = async (
  table: Table,
  promptId: string,
  day: string,
  before: string,
  limit: number,
): Promise<Item[]> => {
  const source = sourceOf(promptId, day);
  const shards = Array.from({ length: await shardsOf(table, source) }, (_, shard) =>
    newestOfShard(table, `${source}#${shard}`, before, limit),
  );
  return (await Promise.all(shards))
    .flat()
    .sort((a, b) => (String(a.sk) > String(b.sk) ? -1 : 1))
    .slice(0, limit);
};

/** The latest entries of a prompt, and the time since which they are complete. */
export interface RecentAccesses {
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly entries: readonly AccessEntry[];
}

/**
 * The entries of a prompt from `since` up to `now`, unordered; at most the latest `most`, with the time since which
 * they are complete. Errors: `unavailable`.
 */
export const recentAccesses = async (
  table: Table,
  promptId: string,
  since: string,
  now: Date,
  most: number,
): Promise<RecentAccesses> => {
  const found: Item[] = [];
  let from = since;
  for (let day = dayOf(now); day >= from.slice(0, 10); day = dayBefore(day)) {
    const source = sourceOf(promptId, day);
    const shards = await shardsOf(table, source);
    const room = Math.ceil((most - found.length) / shards);
    if (room <= 0) return { since: `${dayAfter(day)}T00:00:00.000Z`, entries: found.map(fromItem) };
    const read = await Promise.all(
      Array.from({ length: shards }, (_, shard) =>
        newestOfShard(table, `${source}#${shard}`, `${day}~`, room),
      ),
    );
    // A shard that returned as many as requested may have earlier entries; nothing before its last entry is complete.
    for (const items of read) if (items.length === room) from = later(from, String(items.at(-1)?.time));
    found.push(...read.flat());
  }
  const entries = found.map(fromItem).filter(({ time }) => time >= from);
  return { since: from, entries };
};

const newestOfShard = async (table: Table, pk: string, before: string, limit: number): Promise<Item[]> => {
  const items: Item[] = [];
  const query = {
    ...inPartition(pk, 'sk < :before', { ':before': before }),
    ScanIndexForward: false,
    Limit: limit,
  };
  for await (const item of queryItems(table, query)) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
};

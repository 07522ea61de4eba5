import type { JsonObject } from '../../../contract/fields/fields.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { decodeEntryCursor, encodeCursor } from '../../core/cursors.ts';
import { dayAfter, dayBefore, dayOf } from '../../core/days.ts';
import { later } from '../../core/lists.ts';
import { expiresAfter, shardOf } from '../audit.ts';
import type { Page } from '../prompts/head.ts';
import { type Item, putItem, queryItems, type Table } from '../table.ts';
import type { Use } from './counters.ts';

/** One successful retrieval of a prompt. The values of variables are no part of it. */
export interface Access extends Use {
  readonly at: Date;
  readonly requestId: string;
  /** What the caller named to choose the version; entries of earlier releases do not say. */
  readonly asked?: 'latest' | 'version' | 'label';
  readonly label?: string | undefined;
  readonly apiKeyName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  /** Whether the caller had the prompt compiled. */
  readonly compiled: boolean;
  /** Names of the variables that the caller sent to compile with, sorted; absent where they are unknown. */
  readonly variables?: readonly string[] | undefined;
  /** What the request sent along to be kept in the history. */
  readonly metaProperties: JsonObject;
}

/** An entry of the access history. `time` is ISO 8601 in UTC. */
export interface AccessEntry extends Omit<Access, 'at'> {
  readonly time: string;
}

const partition = (promptId: string, day: string, shard: number): string =>
  `${PARTITIONS.access}${promptId}#${day}#${shard}`;

/** Metadata is kept as JSON text: as a map, `1e300`, `__proto__` and deep nesting would not survive. */
const toItem = ({ settings }: Table, { at, metaProperties, ...access }: Access): Item => ({
  pk: partition(access.promptId, dayOf(at), shardOf(access.requestId, settings.shards)),
  sk: `${at.toISOString()}#${access.requestId}`,
  time: at.toISOString(),
  ...access,
  metaProperties: JSON.stringify(metaProperties),
  ttl: expiresAfter(at, settings.accessDays),
});

const fromItem = ({ pk, sk, ttl, ...item }: Item): AccessEntry =>
  ({ ...item, metaProperties: JSON.parse(String(item.metaProperties)) }) as unknown as AccessEntry;

/** An entry that was not written and can be written later, and why. */
export interface LostAccess {
  readonly record: Item;
  readonly cause: unknown;
}

/**
 * Notes an access; whoever reads the stream of the table counts it. Never throws: what could not be written after the
 * client's retries is returned, for the log.
 */
export const recordAccess = async (table: Table, access: Access): Promise<LostAccess | undefined> => {
  const record = toItem(table, access);
  try {
    await putItem(table, record);
    return undefined;
  } catch (cause) {
    return { record, cause };
  }
};

/** Which days (UTC, `YYYY-MM-DD`, both included) and how many entries. */
export interface AccessRange {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * One page of the access history of a prompt, newest first, shards merged; it goes back from day to day until it has
 * `limit` entries or `from` is reached. Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listAccesses = async (
  table: Table,
  promptId: string,
  { from, to, limit, cursor }: AccessRange,
): Promise<Page<AccessEntry>> => {
  const before = cursor === undefined ? undefined : decodeEntryCursor(cursor, to);
  const found: Item[] = [];
  for (let day = before?.slice(0, 10) ?? to; day >= from && found.length < limit; day = dayBefore(day)) {
    found.push(...(await newestOfDay(table, promptId, day, before ?? `${day}~`, limit - found.length)));
  }
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    items: found.map(fromItem),
    ...(last === undefined ? {} : { cursor: encodeCursor(last.sk) }),
  };
};

/** The newest entries of a day before a sort key: those of each shard, the newest of them all. */
const newestOfDay = async (
  table: Table,
  promptId: string,
  day: string,
  before: string,
  limit: number,
): Promise<Item[]> => {
  const shards = Array.from({ length: table.settings.shards }, (_, shard) =>
    newestOfShard(table, partition(promptId, day, shard), before, limit),
  );
  return (await Promise.all(shards))
    .flat()
    .sort((a, b) => (String(a.sk) > String(b.sk) ? -1 : 1))
    .slice(0, limit);
};

/** The latest entries of a prompt, and from which time on they are all. */
export interface RecentAccesses {
  /** ISO 8601 in UTC. */
  readonly since: string;
  readonly entries: readonly AccessEntry[];
}

/**
 * The entries of a prompt from `since` up to `now`, in no order; of more than `most`, the latest, and the time from
 * which on none is left out. Errors: `unavailable`.
 */
export const recentAccesses = async (
  table: Table,
  promptId: string,
  since: string,
  now: Date,
  most: number,
): Promise<RecentAccesses> => {
  const { shards } = table.settings;
  const found: Item[] = [];
  let from = since;
  for (let day = dayOf(now); day >= from.slice(0, 10); day = dayBefore(day)) {
    const room = Math.ceil((most - found.length) / shards);
    if (room <= 0) return { since: `${dayAfter(day)}T00:00:00.000Z`, entries: found.map(fromItem) };
    const read = await Promise.all(
      Array.from({ length: shards }, (_, shard) =>
        newestOfShard(table, partition(promptId, day, shard), `${day}~`, room),
      ),
    );
    // A shard that gave all that it was asked for may hold earlier ones; before its last entry nothing is complete.
    for (const items of read) if (items.length === room) from = later(from, String(items.at(-1)?.time));
    found.push(...read.flat());
  }
  const entries = found.map(fromItem).filter(({ time }) => time >= from);
  return { since: from, entries };
};

const newestOfShard = async (table: Table, pk: string, before: string, limit: number): Promise<Item[]> => {
  const items: Item[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk < :before',
    ExpressionAttributeValues: { ':pk': pk, ':before': before },
    ScanIndexForward: false,
    Limit: limit,
  };
  for await (const item of queryItems(table, query)) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
};

import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { type LastUses, lastUsesIn } from '../api-keys/uses.ts';
import { inIndex, inPartition, queryOnce } from '../queries.ts';
import type { Item, Key, Table } from '../table.ts';
import type { FailedCall } from './failed-calls.ts';

/** The hour of a time (UTC), as `YYYY-MM-DDTHH`. */
const hourOf = (time: string) => time.slice(0, 13);

/** The key of the counter of failing calls in the hour of a time (ISO 8601 in UTC). */
export const failureCounter = (
  time: string,
  promptId: string,
  { code, apiKeyId }: Pick<FailedCall, 'code' | 'apiKeyId'>,
): Key => ({
  pk: PARTITIONS.failing + promptId,
  sk: `${hourOf(time)}#${code}#${apiKeyId}`,
});

/** Failing calls of a prompt in an hour with one code and key: at least so many, and the last of them. */
export type FailureCount = ReturnType<typeof toFailureCount>;

export const toFailureCount = ({ pk, sk, count, failingSince, lastAt, lastCall }: Item) => ({
  ...(lastCall as FailedCall),
  promptId: String(pk).slice(PARTITIONS.failing.length),
  hour: hourOf(String(sk)),
  calls: Number(count),
  since: String(failingSince),
  lastAt: String(lastAt),
});

/** Counters that are read at most, the latest of them; of all prompts, so many of one key in an hour. */
const MOST_COUNTERS = 2_000;
const MOST_OF_KEY = 100;

const latestFirst = { ConsistentRead: false, ScanIndexForward: false };

/** The failing calls of a prompt since the hour of a time (ISO 8601), latest hour first. */
export const failuresSince = async (table: Table, time: string, promptId: string) => {
  const hours = inPartition(PARTITIONS.failing + promptId, 'sk >= :from', { ':from': hourOf(time) });
  const { items } = await queryOnce(table, { ...hours, ...latestFirst, Limit: MOST_COUNTERS }, undefined);
  return items.map(toFailureCount);
};

/** The hour and the key of a counter in the index. */
const ownerOf = (item: Item) => String(item[TABLE.index.sortKey]).split('#', 2).join('#');

/**
 * The same for all prompts, and the last use of each API key, in one call; in several if a key has so many counters in an hour
 * that it would hide those of others.
 */
export const failuresAndUses = async (
  table: Table,
  time: string,
): Promise<{ readonly failures: readonly FailureCount[]; readonly uses: LastUses }> => {
  const { sortKey } = TABLE.index;
  const hours = inIndex('watched', `${sortKey} >= :from`, { ':from': hourOf(time) });
  const [failing, used]: [Item[], Item[]] = [[], []];
  const read = new Map<string, number>();
  let start: Item | undefined;
  do {
    const { items, last } = await queryOnce(table, { ...hours, ...latestFirst }, start);
    for (const item of items) {
      const owner = ownerOf(item);
      const number = (read.get(owner) ?? 0) + 1;
      read.set(owner, number);
      if (!String(item.pk).startsWith(PARTITIONS.failing)) used.push(item);
      else if (number <= MOST_OF_KEY) failing.push(item);
    }
    // No row has this key: what comes before it is of another key or hour.
    const skipped = last && (read.get(ownerOf(last)) ?? 0) >= MOST_OF_KEY ? { [sortKey]: ownerOf(last) } : {};
    start = last && { ...last, ...skipped };
  } while (start !== undefined && failing.length < MOST_COUNTERS);
  return { failures: failing.slice(0, MOST_COUNTERS).map(toFailureCount), uses: lastUsesIn(used) };
};

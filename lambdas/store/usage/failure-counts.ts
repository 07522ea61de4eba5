import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { type LastUses, lastUsesIn } from '../api-keys/uses.ts';
import { inIndex, inPartition, queryItems, queryOnce } from '../queries.ts';
import type { Item, Key, Table } from '../table.ts';
import type { FailedCall } from './failures.ts';

/** The hour of a time (UTC), as `YYYY-MM-DDTHH`. */
const hourOf = (time: string): string => time.slice(0, 13);

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

/** Counters that are read at most: the latest of them. */
const MOST_COUNTERS = 2_000;

const latestFirst = { ConsistentRead: false, ScanIndexForward: false };

/** The failing calls of a prompt since the hour of a time (ISO 8601), latest hour first. */
export const failuresSince = async (table: Table, time: string, promptId: string) => {
  const hours = inPartition(PARTITIONS.failing + promptId, 'sk >= :from', { ':from': hourOf(time) });
  const { items } = await queryOnce(table, { ...hours, ...latestFirst, Limit: MOST_COUNTERS }, undefined);
  return items.map(toFailureCount);
};

/** The same for all prompts, and the last use of each API key, in one call. */
export const failuresAndUses = async (
  table: Table,
  time: string,
): Promise<{ readonly failures: readonly FailureCount[]; readonly uses: LastUses }> => {
  const hours = inIndex('watched', `${TABLE.index.sortKey} >= :from`, { ':from': hourOf(time) });
  const [failing, used]: [Item[], Item[]] = [[], []];
  for await (const item of queryItems(table, { ...hours, ...latestFirst })) {
    (String(item.pk).startsWith(PARTITIONS.failing) ? failing : used).push(item);
    if (failing.length === MOST_COUNTERS) break;
  }
  return { failures: failing.map(toFailureCount), uses: lastUsesIn(used) };
};

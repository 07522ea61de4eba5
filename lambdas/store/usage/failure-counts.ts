import { PARTITIONS, TABLE } from '../../../contract/table.ts';
import { inIndex, inPartition, queryItems, type TableQuery } from '../queries.ts';
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
export interface FailureCount extends FailedCall {
  readonly promptId: string;
  readonly hour: string;
  readonly calls: number;
  /** The first and the last of them; ISO 8601 in UTC. */
  readonly since: string;
  readonly lastAt: string;
}

export const toFailureCount = ({ pk, sk, count, failingSince, lastAt, lastCall }: Item): FailureCount => ({
  ...(lastCall as FailedCall),
  ...{
    promptId: String(pk).slice(PARTITIONS.failing.length),
    hour: hourOf(String(sk)),
    calls: Number(count),
  },
  ...{ since: String(failingSince), lastAt: String(lastAt) },
});

/** Counters that are read at most: the latest of them. */
const READ = 2_000;

/**
 * The failing calls of a prompt, or of all prompts, since the hour of a time (ISO 8601), latest hour first.
 * Errors: `unavailable`.
 */
export const failuresSince = async (
  table: Table,
  time: string,
  promptId?: string,
): Promise<FailureCount[]> => {
  const from = { ':from': hourOf(time) };
  const query: TableQuery =
    promptId === undefined
      ? inIndex('failing', `${TABLE.index.sortKey} >= :from`, from)
      : inPartition(PARTITIONS.failing + promptId, 'sk >= :from', from);
  const found: FailureCount[] = [];
  for await (const item of queryItems(table, { ...query, ConsistentRead: false, ScanIndexForward: false })) {
    found.push(toFailureCount(item));
    if (found.length === READ) break;
  }
  return found;
};

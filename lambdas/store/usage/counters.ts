import { PARTITIONS } from '../../../contract/table.ts';
import { dayOf } from '../../core/days.ts';
import { later } from '../../core/lists.ts';
import { expiresAfter, shardOf } from '../audit.ts';
import { readDaysSince } from '../daily-cache.ts';
import { type Item, queryItems, type Table, updateItem } from '../table.ts';

/** One successful retrieval of a prompt, as it is counted. */
export interface Use {
  readonly at: Date;
  readonly requestId: string;
  readonly promptId: string;
  readonly version: string;
  readonly apiKeyId: string;
}

/** How often a version was retrieved with an API key on a day (UTC, `YYYY-MM-DD`). */
export interface UsageCount {
  readonly day: string;
  readonly version: string;
  readonly apiKeyId: string;
  readonly count: number;
}

const partition = (day: string, shard: number): string => `${PARTITIONS.usage}${day}#${shard}`;

/** The counter of a use as it stands after one use: its key, and what is added to it. */
export const usageItem = ({ settings }: Table, use: Use): Item => ({
  pk: partition(dayOf(use.at), shardOf(use.requestId, settings.shards)),
  sk: `${use.promptId}#${use.version}#${use.apiKeyId}`,
  count: 1,
  lastAt: use.at.toISOString(),
  ttl: expiresAfter(use.at, settings.accessDays),
});

/** Adds an item of `usageItem` to its counter. A call that was tried again may count twice. Errors: `unavailable`. */
export const addUsage = async (table: Table, { pk, sk, count, lastAt, ttl }: Item): Promise<void> => {
  await updateItem(table, {
    Key: { pk, sk },
    UpdateExpression: 'SET #ttl = :ttl, lastAt = :at ADD #count :count',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#count': 'count' },
    ExpressionAttributeValues: { ':ttl': ttl, ':at': lastAt, ':count': count },
  });
};

/** A counter of a day: how often a version of a prompt was retrieved with an API key. */
export interface Counter {
  readonly promptId: string;
  readonly version: string;
  readonly apiKeyId: string;
  readonly count: number;
  /** The last of these retrievals; ISO 8601 in UTC. */
  readonly lastAt: string;
}

const toCounter = ({ sk, count, lastAt }: Item): Counter => {
  const [promptId = '', version = '', apiKeyId = ''] = String(sk).split('#');
  return { promptId, version, apiKeyId, count: Number(count), lastAt: String(lastAt) };
};

const added = (counter: Counter, other: Counter | undefined): Counter =>
  other === undefined
    ? counter
    : {
        ...counter,
        count: counter.count + other.count,
        lastAt: later(counter.lastAt, other.lastAt),
      };

const rowsOf = (table: Table, day: string, shard: number, promptId?: string): AsyncGenerator<Item> =>
  queryItems(table, {
    KeyConditionExpression: promptId === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prompt)',
    ExpressionAttributeValues: {
      ':pk': partition(day, shard),
      ...(promptId === undefined ? {} : { ':prompt': `${promptId}#` }),
    },
  });

/** The counters of a day, those of one prompt or all; shards merged. Errors: `unavailable`. */
export const countersOf = async (table: Table, day: string, promptId?: string): Promise<Counter[]> => {
  const shards = Array.from({ length: table.settings.shards }, (_, shard) =>
    Array.fromAsync(rowsOf(table, day, shard, promptId)),
  );
  const merged = new Map<string, Counter>();
  for (const row of (await Promise.all(shards)).flat()) {
    const sk = String(row.sk);
    merged.set(sk, added(toCounter(row), merged.get(sk)));
  }
  return [...merged.values()];
};

/**
 * How often a prompt was retrieved on each of the last `days` days up to `now`, by day (latest first), version and API
 * key; shards merged. Days before `since` (ISO 8601) are left out. Errors: `unavailable`.
 */
export const usageOf = async (
  table: Table,
  promptId: string,
  days: number,
  now: Date,
  since = '',
): Promise<UsageCount[]> => {
  const read = await readDaysSince(since, days, now, async (day) =>
    (await countersOf(table, day, promptId)).map(({ version, apiKeyId, count }) => ({
      day,
      version,
      apiKeyId,
      count,
    })),
  );
  return read.reverse().flat();
};

import { PARTITIONS } from '../../../contract/table.ts';
import { dayOf } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { expiresAfter, shardOf } from '../audit.ts';
import { getItem, type Key, putItem, queryItems, type Table, updateItem } from '../table.ts';

/** One release of secrets: by which API key, and which secrets. */
export interface VaultUse {
  readonly at: Date;
  readonly requestId: string;
  readonly apiKeyId: string;
  /** Stands for the set of released secrets. */
  readonly digest: string;
  readonly secretIds: readonly string[];
}

const partitionOf = (day: string, shard: number): string => `${PARTITIONS.vaultUse}${day}#${shard}`;
const namesKey = (digest: string): Key => ({ pk: PARTITIONS.vaultUseNames + digest, sk: 'NAMES' });

/**
 * Counts a release for its day, and once for each of these counters writes down which secrets the digest stands for:
 * their ids, since 5,000 names could exceed an item. Where that fails, the next release does it. Errors: `unavailable`.
 */
export const countUse = async (table: Table, use: VaultUse): Promise<void> => {
  const { shards, accessDays, auditDays } = table.settings;
  const key: Key = {
    pk: partitionOf(dayOf(use.at), shardOf(use.requestId, shards)),
    sk: `${use.apiKeyId}#${use.digest}`,
  };
  const counted = await updateItem(table, {
    Key: key,
    UpdateExpression: 'ADD #count :one SET lastAt = :at, #ttl = :ttl',
    ExpressionAttributeNames: { '#count': 'count', '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':at': use.at.toISOString(),
      ':ttl': expiresAfter(use.at, accessDays),
    },
    ReturnValues: 'ALL_NEW',
  });
  if (counted === 'condition-failed' || counted.named === true) return;
  await putItem(table, {
    ...namesKey(use.digest),
    secretIds: use.secretIds,
    ttl: expiresAfter(use.at, auditDays),
  });
  await updateItem(table, {
    Key: key,
    UpdateExpression: 'SET named = :named',
    ExpressionAttributeValues: { ':named': true },
  });
};

/** When a secret was last released, and by which API key. */
export interface LastRead {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly apiKeyId: string;
}

/** A counter of a day: how often the same set of secrets was released to an API key, and when last. */
export interface Releases extends LastRead {
  readonly digest: string;
  readonly count: number;
}

const releasesOfShard = async (table: Table, day: string, shard: number): Promise<Releases[]> => {
  const rows: Releases[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partitionOf(day, shard) },
  };
  for await (const item of queryItems(table, query)) {
    const [apiKeyId = '', digest = ''] = (item.sk as string).split('#');
    rows.push({ apiKeyId, digest, at: item.lastAt as string, count: item.count as number });
  }
  return rows;
};

/** The counters of a day (UTC, `YYYY-MM-DD`), of each shard for itself. Errors: `unavailable`. */
export const releasesOf = async (table: Table, day: string): Promise<Releases[]> => {
  const shards = Array.from({ length: table.settings.shards }, (_, shard) =>
    releasesOfShard(table, day, shard),
  );
  return (await Promise.all(shards)).flat();
};

/** Tells which secrets a digest stands for, by their ids. */
export type ReleasedSecrets = (digest: string) => Promise<readonly string[]>;

/** An id takes 48 bytes where 100,000 of them were measured in Node.js 24. */
const KNOWN_IDS = 200_000;

/**
 * Looks up which secrets digests stand for. That never changes: it is read once in the life of a container, as far as
 * all that is remembered are at most `maxIds` ids; what was read first goes first. Errors: `unavailable`.
 */
export const createReleasedSecrets = (table: Table, maxIds = KNOWN_IDS): ReleasedSecrets => {
  const known = new Map<string, readonly string[]>();
  let count = 0;

  const remember = (digest: string, secretIds: readonly string[]): void => {
    if (known.has(digest)) return;
    known.set(digest, secretIds);
    count += secretIds.length;
    for (const [oldest, { length }] of known) {
      if (count <= maxIds) return;
      known.delete(oldest);
      count -= length;
    }
  };

  return async (digest) => {
    const remembered = known.get(digest);
    if (remembered !== undefined) return remembered;
    const names = await getItem(table, namesKey(digest));
    // Not written yet, or gone by now.
    if (names === undefined) return [];
    remember(digest, names.secretIds as string[]);
    return names.secretIds as string[];
  };
};

/** The last release of each secret among some counters, by secret id. Errors: `unavailable`. */
export const lastReadsAmong = async (
  releasedSecrets: ReleasedSecrets,
  releases: readonly Releases[],
): Promise<ReadonlyMap<string, LastRead>> => {
  const digests = new Map<string, LastRead>();
  for (const { digest, at, apiKeyId } of releases) keepLatest(digests, digest, { at, apiKeyId });
  const secrets = new Map<string, LastRead>();
  await inParallel(digests, async ([digest, read]) => {
    for (const secretId of await releasedSecrets(digest)) keepLatest(secrets, secretId, read);
  });
  return secrets;
};

const keepLatest = (reads: Map<string, LastRead>, id: string, read: LastRead): void => {
  const known = reads.get(id);
  if (known === undefined || known.at < read.at) reads.set(id, read);
};

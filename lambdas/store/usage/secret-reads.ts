import { PARTITIONS } from '../../../contract/table.ts';
import { createBoundedCache } from '../../core/bounded-cache.ts';
import { expiresAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { inRange, queryItems } from '../queries.ts';
import { type Consistency, getItem, type Key, putItem, type Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';
import type { SecretReads } from './days.ts';

/** The key of the counter of reads of one set of secrets, identified by its digest, with an API key on a day. */
export const readCounter = (
  day: string,
  { apiKeyId, digest }: Pick<SecretReads, 'apiKeyId' | 'digest'>,
): Key => ({
  pk: PARTITIONS.vaultUse + apiKeyId,
  sk: `${day}#${digest}`,
});

// The entries of reads and their counters name the digest.
const secretIdsExpireAfter = (at: Date, { settings }: Table) =>
  expiresAfter(at, Math.max(settings.readDays, settings.accessDays));

const secretIdsKey = (digest: string): Key => ({ pk: PARTITIONS.vaultUseNames + digest, sk: 'NAMES' });

/**
 * Extends the expiry of a known digest's secrets to that of the audit entries of this time. Returns whether it is
 * known.
 */
export const extendSecretIds = async (table: Table, digest: string, at: Date): Promise<boolean> => {
  const refusedBy = await updateOrRead(table, {
    Key: secretIdsKey(digest),
    UpdateExpression: 'SET #ttl = :ttl',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': secretIdsExpireAfter(at, table) },
  });
  return refusedBy === undefined;
};

/** Records the secrets of a digest by their ids, because 5,000 names could exceed an item. */
export const writeSecretIds = (table: Table, digest: string, secretIds: readonly string[], at: Date) =>
  putItem(table, { ...secretIdsKey(digest), secretIds, ttl: secretIdsExpireAfter(at, table) });

/** The reads with an API key from one day (UTC, `YYYY-MM-DD`) to another, both included. */
export const secretReadsOf = async (table: Table, apiKeyId: string, from: string, to: string) => {
  const query = { ...inRange(PARTITIONS.vaultUse + apiKeyId, from, `${to}~`), ConsistentRead: false };
  const items = await Array.fromAsync(queryItems(table, query));
  return items.map(({ sk, lastAt, count, lowest, highest }): SecretReads => {
    const [, digest = ''] = String(sk).split('#');
    const revisions = [Number(lowest), Number(highest)] as const;
    return { apiKeyId, digest, lastAt: String(lastAt), count: Number(count), revisions };
  });
};

/** Looks up the ids of the secrets of a digest. */
export type ReadSecrets = (digest: string) => Promise<readonly string[]>;

/** An id takes 48 bytes, measured with 100,000 of them in Node.js 24. */
const CACHED_IDS = 200_000;

/**
 * Looks up the secrets of digests. They never change, so each digest is read once in the lifetime of a container and
 * cached, up to `maxIds` ids in total; the least recently used are evicted first. Reads them eventually consistent only
 * where counters, which are later, name the digests.
 */
export const createReadSecrets = (
  table: Table,
  maxIds = CACHED_IDS,
  consistency: Consistency = 'strongly',
): ReadSecrets => {
  const known = createBoundedCache<readonly string[]>(maxIds);
  return async (digest) => {
    const remembered = known.get(digest);
    if (remembered !== undefined) return remembered;
    const names = await getItem(table, secretIdsKey(digest), consistency);
    // Not written yet, or already expired.
    if (names === undefined) return [];
    const secretIds = names.secretIds as string[];
    known.set(digest, secretIds, secretIds.length);
    return secretIds;
  };
};

/** Reads of a secret by the id of the API key that it was returned to, oldest first. */
export type ReadsByKey = ReadonlyMap<string, readonly SecretReads[]>;

/** The reads that returned each of these secrets, by secret id. */
export const readsOfSecrets = async (
  readSecretsOf: ReadSecrets,
  reads: readonly SecretReads[],
  secretIds: readonly string[],
): Promise<ReadonlyMap<string, ReadsByKey>> => {
  const found = new Map(secretIds.map((secretId): [string, SecretReads[]] => [secretId, []]));
  await inParallel(
    Map.groupBy(reads, ({ digest }) => digest),
    async ([digest, own]) => {
      for (const secretId of await readSecretsOf(digest)) found.get(secretId)?.push(...own);
    },
  );
  return new Map(
    [...found].map(([secretId, own]) => {
      const inOrder = own.sort((a, b) => (a.lastAt < b.lastAt ? -1 : 1));
      return [secretId, Map.groupBy(inOrder, ({ apiKeyId }) => apiKeyId)];
    }),
  );
};

/** The reads of each secret in these counters, by secret id. */
export const readsBySecret = async (readSecretsOf: ReadSecrets, reads: readonly SecretReads[]) => {
  const ofDigests = new Map<string, SecretUse>();
  for (const read of reads) addRead(ofDigests, read.digest, { ...read, readers: [read.apiKeyId] });
  const secrets = new Map<string, SecretUse>();
  await inParallel(ofDigests, async ([digest, read]) => {
    for (const secretId of await readSecretsOf(digest)) addRead(secrets, secretId, read);
  });
  return secrets;
};

/** Reads of a secret, by which API key the last one was, and all that read it. */
export interface SecretUse extends Omit<SecretReads, 'digest'> {
  readonly readers: readonly string[];
}

const addRead = (sums: Map<string, SecretUse>, id: string, read: SecretUse) => {
  const sum = sums.get(id);
  if (sum === undefined) sums.set(id, read);
  else
    sums.set(id, {
      ...(sum.lastAt < read.lastAt ? read : sum),
      count: sum.count + read.count,
      readers: [...new Set([...sum.readers, ...read.readers])],
    });
};

import { PARTITIONS } from '../../../contract/table.ts';
import { expiresAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { getItem, type Key, putItem, queryItems, type Table } from '../table.ts';
import { updateItem } from '../updates.ts';

/** What a counter counts: reads of one set of secrets, identified by its digest, to an API key. */
interface ReadUse {
  readonly apiKeyId: string;
  readonly digest: string;
}

/** The key of the counter of a read on a day. */
export const readCounter = (day: string, { apiKeyId, digest }: ReadUse): Key => ({
  pk: PARTITIONS.vaultUse + day,
  sk: `${apiKeyId}#${digest}`,
});

// The entries of reads and their counters name the digest.
const namesExpireAfter = (at: Date, { settings }: Table): number =>
  expiresAfter(at, Math.max(settings.readDays, settings.accessDays));

const namesKey = (digest: string): Key => ({ pk: PARTITIONS.vaultUseNames + digest, sk: 'NAMES' });

/**
 * Extends the expiry of a known digest's secrets to that of the audit entries of this time. Returns whether it is
 * known. Errors: `unavailable`.
 */
export const keepNames = async (table: Table, digest: string, at: Date): Promise<boolean> => {
  const kept = await updateItem(table, {
    Key: namesKey(digest),
    UpdateExpression: 'SET #ttl = :ttl',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':ttl': namesExpireAfter(at, table) },
  });
  return kept !== 'condition-failed';
};

/** Records the secrets of a digest by their ids, because 5,000 names could exceed an item. */
export const writeNames = (
  table: Table,
  digest: string,
  secretIds: readonly string[],
  at: Date,
): Promise<void> =>
  putItem(table, {
    ...namesKey(digest),
    secretIds,
    ttl: namesExpireAfter(at, table),
  });

/** When a secret was last read, and by which API key. */
export interface LastRead {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly apiKeyId: string;
}

/** A counter of a day: how often the same set of secrets was returned to an API key, and when last. */
export interface SecretReads extends LastRead {
  readonly digest: string;
  readonly count: number;
}

/** The counters of a day (UTC, `YYYY-MM-DD`). Errors: `unavailable`. */
export const secretReadsOf = async (table: Table, day: string): Promise<SecretReads[]> => {
  const rows: SecretReads[] = [];
  const query = {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': PARTITIONS.vaultUse + day },
  };
  for await (const item of queryItems(table, query)) {
    const [apiKeyId = '', digest = ''] = (item.sk as string).split('#');
    rows.push({ apiKeyId, digest, at: item.lastAt as string, count: item.count as number });
  }
  return rows;
};

/** Looks up the ids of the secrets of a digest. */
export type ReadSecrets = (digest: string) => Promise<readonly string[]>;

/** An id takes 48 bytes, measured with 100,000 of them in Node.js 24. */
const KNOWN_IDS = 200_000;

/**
 * Looks up the secrets of digests. They never change, so each digest is read once in the lifetime of a container and
 * cached, up to `maxIds` ids in total; the oldest are evicted first. Errors: `unavailable`.
 */
export const createReadSecrets = (table: Table, maxIds = KNOWN_IDS): ReadSecrets => {
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
    // Not written yet, or already expired.
    if (names === undefined) return [];
    remember(digest, names.secretIds as string[]);
    return names.secretIds as string[];
  };
};

/** The last read of each secret in these counters, by secret id. Errors: `unavailable`. */
export const lastReadsAmong = async (
  readSecretsOf: ReadSecrets,
  reads: readonly SecretReads[],
): Promise<ReadonlyMap<string, LastRead>> => {
  const digests = new Map<string, LastRead>();
  for (const { digest, at, apiKeyId } of reads) keepLatest(digests, digest, { at, apiKeyId });
  const secrets = new Map<string, LastRead>();
  await inParallel(digests, async ([digest, read]) => {
    for (const secretId of await readSecretsOf(digest)) keepLatest(secrets, secretId, read);
  });
  return secrets;
};

const keepLatest = (reads: Map<string, LastRead>, id: string, read: LastRead): void => {
  const known = reads.get(id);
  if (known === undefined || known.at < read.at) reads.set(id, read);
};

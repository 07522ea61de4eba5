import { INDEX_PARTITIONS, PARTITIONS, TABLE } from '../../../contract/table.ts';
import { type ApiKey, RefusedCall } from '../../core/api-keys/rules.ts';
import { inIndex, queryItems } from '../queries.ts';
import { getItem, type Item, type Key, type Table } from '../table.ts';
import { updateOrRead } from '../updates.ts';

/** The time of the last call with each key that was ever used (ISO 8601 in UTC), by key id; of applications only successful ones. */
export type LastUses = ReadonlyMap<string, string>;

const { partitionKey, sortKey } = TABLE.index;

// After the hours of failing calls, which are in the same partition of the index.
const USE = 'USE#';

/** The last uses among rows of this partition. */
export const lastUsesIn = (items: readonly Item[]): LastUses =>
  new Map(
    items
      .filter((item) => String(item[sortKey]).startsWith(USE))
      .map((item) => [String(item[sortKey]).slice(USE.length), String(item.lastAt)]),
  );

/** Reads the last uses of all keys; one can take a moment to appear. */
export const readLastUses = async (table: Table): Promise<LastUses> => {
  const range = inIndex('watched', `begins_with(${sortKey}, :use)`, { ':use': USE });
  return lastUsesIn(await Array.fromAsync(queryItems(table, range)));
};

/** The key of the row with the last use of an API key. */
export const lastUseKey = (keyId: string): Key => ({ pk: PARTITIONS.apiKeyUse + keyId, sk: 'USE' });

/** The last use of one key. */
export const readLastUse = async (table: Table, keyId: string): Promise<string | undefined> => {
  const row = await getItem(table, lastUseKey(keyId));
  return row?.lastAt === undefined ? undefined : String(row.lastAt);
};

type Values = Record<string, unknown>;

/** Updates the use of a key on a condition. Returns undefined, or the unchanged row. */
const updateUse = (table: Table, keyId: string, update: string, condition: string, values: Values) =>
  updateOrRead(table, {
    Key: lastUseKey(keyId),
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeValues: values,
  });

const LAST_USE = `lastAt = :at, ${partitionKey} = :list, ${sortKey} = :id`;

const lastUse = (keyId: string, at: string): Values => ({
  ':at': at,
  ':list': INDEX_PARTITIONS.watched,
  ':id': USE + keyId,
});

/** Records the time of a successful call (ISO 8601 in UTC), unless a later one is recorded. */
export const keepLastUse = async (table: Table, keyId: string, at: string): Promise<void> => {
  const isLater = 'attribute_not_exists(lastAt) OR lastAt < :at';
  await updateUse(table, keyId, `SET ${LAST_USE}`, isLater, lastUse(keyId, at));
};

/** Calls of a job in any so many milliseconds are limited: half of them may come at once. */
const WINDOW_MS = 10_000;

const tooManyCalls = (apiKey: ApiKey, most: number, waitMs: number): RefusedCall => {
  const seconds = Math.ceil(waitMs / 1_000);
  return new RefusedCall(
    'rate',
    `This API key may make ${most} call${most === 1 ? '' : 's'} from code in ${WINDOW_MS / 1_000} seconds. Wait ${seconds} s, then repeat the call.`,
    apiKey,
    { headers: { 'retry-after': String(seconds) } },
  );
};

/**
 * Counts a call by a job, and records the last use of its key once in ten seconds. The row has the time until which the
 * calls so far take their share of the time, which is all that a condition needs: no interval has more than are allowed.
 */
export const countCall = async (table: Table, apiKey: ApiKey, at: Date): Promise<void> => {
  const { keyId } = apiKey;
  const most = table.settings.publishRate * (WINDOW_MS / 1_000);
  if (most === 0) return keepLastUse(table, keyId, at.toISOString());
  const atOnce = Math.ceil(most / 2);
  // An integer: DynamoDB adds fractions more exactly than they are read.
  const share = Math.ceil(WINDOW_MS / (most - atOnce + 1));
  const now = at.getTime();
  const latest = now + (atOnce - 1) * share;
  const recent = new Date(now - WINDOW_MS).toISOString();
  // With each round that is lost, another call was admitted.
  for (let others = 0; others <= atOnce; others++) {
    const known = await updateUse(
      table,
      keyId,
      'SET takenUntil = takenUntil + :share',
      'takenUntil BETWEEN :now AND :latest AND lastAt > :recent',
      { ':share': share, ':now': now, ':latest': latest, ':recent': recent },
    );
    if (known === undefined) return;
    const found = Number(known.takenUntil ?? 0);
    // A clock that was set back must not refuse calls for as long.
    const from = found > latest + WINDOW_MS ? now : Math.max(found, now);
    if (from > latest) throw tooManyCalls(apiKey, most, from - latest);
    const isSame =
      known.takenUntil === undefined ? 'attribute_not_exists(takenUntil)' : 'takenUntil = :found';
    const values = { ':until': from + share, ...(known.takenUntil !== undefined && { ':found': found }) };
    const begin = `SET ${LAST_USE}, takenUntil = :until`;
    const lost = await updateUse(table, keyId, begin, isSame, {
      ...values,
      ...lastUse(keyId, at.toISOString()),
    });
    if (lost === undefined) return;
  }
  throw tooManyCalls(apiKey, most, share);
};

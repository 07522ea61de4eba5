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

/** Calls of a job are counted in windows of this length. */
const WINDOW_SECONDS = 10;

const tooManyCalls = (apiKey: ApiKey, most: number, seconds: number): RefusedCall =>
  new RefusedCall(
    'rate',
    `This API key may make ${most} call${most === 1 ? '' : 's'} from code in ${WINDOW_SECONDS} seconds. Wait ${seconds} s, then repeat the call.`,
    apiKey,
    { headers: { 'retry-after': String(seconds) } },
  );

/**
 * Counts a call by a job, and records the last use of its key with the first call of each window. A window of another
 * container, whose clock is ahead, counts too.
 */
export const countCall = async (table: Table, apiKey: ApiKey, at: Date): Promise<void> => {
  const { keyId } = apiKey;
  const rate = table.settings.publishRate;
  const most = rate === 0 ? Number.MAX_SAFE_INTEGER : rate * WINDOW_SECONDS;
  const seconds = at.getTime() / 1000;
  const window = Math.floor(seconds / WINDOW_SECONDS);
  const call: Values = { ':window': window, ':one': 1 };
  const count = () =>
    updateUse(table, keyId, 'ADD calls :one', 'callWindow >= :window AND calls < :most', {
      ...call,
      ':most': most,
    });
  const refused = await count();
  if (refused === undefined) return;
  if (Number(refused.callWindow ?? 0) < window) {
    const begin = `SET ${LAST_USE}, callWindow = :window, calls = :one`;
    const isNew = 'attribute_not_exists(callWindow) OR callWindow < :window';
    const values = { ...call, ...lastUse(keyId, at.toISOString()) };
    const begunMeanwhile = await updateUse(table, keyId, begin, isNew, values);
    if (begunMeanwhile === undefined || (await count()) === undefined) return;
  }
  throw tooManyCalls(apiKey, most, Math.ceil((window + 1) * WINDOW_SECONDS - seconds));
};

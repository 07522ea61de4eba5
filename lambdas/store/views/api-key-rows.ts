import { type ApiKey, type ApiKeyStatus, statusOf } from '../../core/api-keys/rules.ts';
import { holds, type ListPage, type Paging, pageOfList } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { lastUseOf } from '../api-keys/uses.ts';
import type { Table } from '../table.ts';
import { apiKeysOfDays, createUsageDays } from '../usage/days.ts';
import type { SecretReads } from '../usage/secret-reads.ts';
import { type Refused, recentRefusals } from './refusals.ts';
import { createReadDays } from './secret-rows.ts';

const COUNTED_DAYS = 7;

/** How often API keys were used recently. */
export interface Calls {
  readonly prompts: number;
  readonly secrets: number;
}

export interface ApiKeyRow extends ApiKey {
  readonly status: ApiKeyStatus;
  /** Its latest successor that is not revoked. */
  readonly replacedBy?: Pick<ApiKey, 'keyId' | 'name' | 'createdAt'>;
  /** The last successful call; ISO 8601 in UTC. */
  readonly lastUsedAt: string | null;
  /** In the last seven days (UTC). */
  readonly calls: Calls;
  /** The latest reason for which it was refused in the last seven days. */
  readonly refused?: Omit<Refused, 'keyId' | 'name'>;
}

/** The calls with each key in the last seven days up to `now`, by key id. Errors: `unavailable`. */
export type CallCounts = (now: Date) => Promise<(keyId: string) => Calls>;

const readsByKey = (reads: readonly SecretReads[]): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { apiKeyId, count } of reads) sums.set(apiKeyId, (sums.get(apiKeyId) ?? 0) + count);
  return sums;
};

/** Counts calls; past days are cached. */
export const createCallCounts = (table: Table): CallCounts => {
  const usageDays = createUsageDays(table);
  const readDays = createReadDays(table);
  return async (now) => {
    const [usage, reads] = await Promise.all([usageDays(COUNTED_DAYS, now), readDays(COUNTED_DAYS, now)]);
    const prompts = apiKeysOfDays(usage);
    const secrets = readsByKey(reads.flat());
    return (keyId) => ({ prompts: prompts.get(keyId)?.count ?? 0, secrets: secrets.get(keyId) ?? 0 });
  };
};

// A key that never expires comes after every other.
const NEVER = '9999';

const SORTINGS = {
  created: ({ createdAt }: ApiKey) => createdAt,
  name: ({ name }: ApiKey) => name.toLowerCase(),
  used: ({ lastUsedAt }: ApiKeyRow) => lastUsedAt ?? '',
  expires: ({ expiresAt, revokedAt }: ApiKey) => revokedAt ?? expiresAt ?? NEVER,
};

export interface ApiKeyListing extends Paging {
  readonly q?: string | undefined;
  readonly status?: ApiKeyStatus | undefined;
  readonly sort: keyof typeof SORTINGS;
  readonly order: 'asc' | 'desc';
}

/** The latest successor of each key that has one, by key id. `apiKeys` are sorted newest first. */
const successorsIn = (apiKeys: readonly ApiKey[]): ReadonlyMap<string, ApiKeyRow['replacedBy']> => {
  const successors = new Map<string, ApiKeyRow['replacedBy']>();
  for (const { replaces, revokedAt, keyId, name, createdAt } of apiKeys) {
    if (replaces === undefined || revokedAt !== undefined || successors.has(replaces)) continue;
    successors.set(replaces, { keyId, name, createdAt });
  }
  return successors;
};

const withoutKey = ({ keyId: _keyId, name: _name, ...refused }: Refused) => refused;

/** Reads all keys, and what the row of one needs. */
const readRows = async (table: Table, callCounts: CallCounts, now: Date) => {
  const [apiKeys, callsOf, refusals] = await Promise.all([
    allApiKeys(table),
    callCounts(now),
    recentRefusals(table, COUNTED_DAYS, now),
  ]);
  const successors = successorsIn(apiKeys);
  const rowOf = async (apiKey: ApiKey): Promise<ApiKeyRow> => {
    const replacedBy = successors.get(apiKey.keyId);
    const refused = refusals.find(({ keyId }) => keyId === apiKey.keyId);
    return {
      ...apiKey,
      ...(replacedBy && { replacedBy }),
      ...(refused && { refused: withoutKey(refused) }),
      status: statusOf(apiKey, now),
      lastUsedAt: (await lastUseOf(table, apiKey.keyId)) ?? null,
      calls: callsOf(apiKey.keyId),
    };
  };
  return { apiKeys, rowOf };
};

/** One key with its usage, or undefined if there is none with this id. Errors: `unavailable`. */
export const readApiKeyRow = async (
  table: Table,
  callCounts: CallCounts,
  now: Date,
  keyId: string,
): Promise<ApiKeyRow | undefined> => {
  const { apiKeys, rowOf } = await readRows(table, callCounts, now);
  const found = apiKeys.find((apiKey) => apiKey.keyId === keyId);
  return found && rowOf(found);
};

/**
 * One page of matching keys, with the usage of each; a new key can take a moment to appear.
 * Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listApiKeyRows = async (
  table: Table,
  callCounts: CallCounts,
  now: Date,
  listing: ApiKeyListing,
): Promise<ListPage<ApiKeyRow>> => {
  const { q, status, sort, order } = listing;
  const { apiKeys, rowOf } = await readRows(table, callCounts, now);
  const matching = apiKeys.filter(
    (apiKey) =>
      (status === undefined || statusOf(apiKey, now) === status) &&
      (q === undefined || holds([apiKey.name, apiKey.keyId, ...apiKey.tags], q)),
  );
  const by = { idOf: ({ keyId }: ApiKey) => keyId, descending: order === 'desc' };
  // Only the last use takes a read for each key, so it is read for one page unless the list is sorted by it.
  if (sort === 'used')
    return pageOfList(await inParallel(matching, rowOf), { ...by, keyOf: SORTINGS.used }, listing);
  const { entries, ...rest } = pageOfList(matching, { ...by, keyOf: SORTINGS[sort] }, listing);
  return { ...rest, entries: await inParallel(entries, rowOf) };
};

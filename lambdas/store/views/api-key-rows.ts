import type { InputOf, ReplyOf } from '../../../contract/endpoint.ts';
import type { keysList } from '../../../contract/endpoints/api-keys/keys-list.ts';
import type { keyRow } from '../../../contract/shapes/keys.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { holds, type ListPage, pageOfList } from '../../core/lists/lists.ts';
import { inParallel } from '../../core/parallel.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { lastUseOf } from '../api-keys/uses.ts';
import type { Table } from '../table.ts';
import { apiKeysOfDays, createUsageDays, summed } from '../usage/days.ts';
import { type Refused, recentRefusals } from './refusals.ts';
import { createReadDays } from './secret-rows.ts';

const COUNTED_DAYS = 7;

export type ApiKeyRow = ApiKey & ReplyOf<typeof keyRow>;

/** The calls with each key in the last seven days up to `now`, by key id. Errors: `unavailable`. */
export type CallCounts = (now: Date) => Promise<(keyId: string) => ApiKeyRow['calls']>;

/** Counts calls; past days are cached. */
export const createCallCounts = (table: Table): CallCounts => {
  const usageDays = createUsageDays(table);
  const readDays = createReadDays(table);
  return async (now) => {
    const [usage, reads] = await Promise.all([usageDays(COUNTED_DAYS, now), readDays(COUNTED_DAYS, now)]);
    const prompts = apiKeysOfDays(usage);
    const secrets = summed(reads.flat(), ({ apiKeyId }) => apiKeyId);
    return (keyId) => ({ prompts: prompts.get(keyId)?.count ?? 0, secrets: secrets.get(keyId)?.count ?? 0 });
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

export type ApiKeyListing = InputOf<typeof keysList.query>;

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
      (q === undefined || apiKey.keyId === q || holds([apiKey.name, ...apiKey.tags], q)),
  );
  const by = { idOf: ({ keyId }: ApiKey) => keyId, descending: order === 'desc' };
  // Only the last use takes a read for each key, so it is read for one page unless the list is sorted by it.
  if (sort === 'used')
    return pageOfList(await inParallel(matching, rowOf), { ...by, keyOf: SORTINGS.used }, listing);
  const { entries, ...rest } = pageOfList(matching, { ...by, keyOf: SORTINGS[sort] }, listing);
  return { ...rest, entries: await inParallel(entries, rowOf) };
};

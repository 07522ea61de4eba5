import type { InputOf, ReplyOf } from '../../../contract/endpoint.ts';
import type { keysList } from '../../../contract/endpoints/api-keys.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { keyRow } from '../../../contract/shapes/keys.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { holds, pageOfList } from '../../core/lists/lists.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { readLastUses } from '../api-keys/uses.ts';
import type { Table } from '../table.ts';
import { type KeyDay, readUsageDays } from '../usage/days.ts';
import { type Refused, recentRefusals } from './refusals.ts';

export type ApiKeyRow = ApiKey & Omit<ReplyOf<typeof keyRow>, 'kind'>;

/** The calls with each key in the last 30 days up to `now`, by key id. */
const countCalls = async (table: Table, now: Date): Promise<(keyId: string) => ApiKeyRow['calls']> => {
  const days = await readUsageDays(table, LIMITS.shownDays, now);
  return (keyId) => {
    const used = days.flatMap(({ apiKeys }) => apiKeys.get(keyId) ?? []);
    const sumOf = (field: keyof KeyDay) => used.reduce((sum, day) => sum + day[field], 0);
    return { prompts: sumOf('fetches'), secrets: sumOf('reads') };
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

/** A key with its last use, its calls, and the refusals of it, latest first. */
export const rowOf = (
  apiKey: ApiKey,
  now: Date,
  lastUsedAt: string | undefined,
  calls: ApiKeyRow['calls'],
  refusals: readonly Refused[],
): ApiKeyRow => {
  const latest = refusals.find(({ keyId }) => keyId === apiKey.keyId);
  return {
    ...apiKey,
    refused: latest && withoutKey(latest),
    status: statusOf(apiKey, now),
    lastUsedAt: lastUsedAt ?? null,
    calls,
  };
};

/** One page of matching keys, with the usage of each; a new key can take a moment to appear. */
export const listApiKeyRows = async (table: Table, now: Date, listing: ApiKeyListing) => {
  const { q, status, sort, order } = listing;
  const [apiKeys, lastUses, callsOf, refusals] = await Promise.all([
    allApiKeys(table),
    readLastUses(table),
    countCalls(table, now),
    recentRefusals(table, LIMITS.shownDays, now),
  ]);
  const successors = successorsIn(apiKeys);
  const matching = apiKeys.filter(
    (apiKey) =>
      (status === undefined || statusOf(apiKey, now) === status) &&
      (q === undefined || apiKey.keyId === q || holds([apiKey.name, ...apiKey.tags], q)),
  );
  const rows = matching.map((apiKey) => {
    const { keyId } = apiKey;
    const replacedBy = successors.get(keyId);
    const row = rowOf(apiKey, now, lastUses.get(keyId), callsOf(keyId), refusals);
    return { ...row, replacedBy };
  });
  const by = { idOf: ({ keyId }: ApiKey) => keyId, descending: order === 'desc' };
  return pageOfList(rows, { ...by, sortedBy: SORTINGS[sort] }, listing);
};

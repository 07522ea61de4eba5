import type { ReplyTo } from '../../../contract/documentation.ts';
import { matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { later } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { readDaysSince } from '../daily-cache.ts';
import { allPrompts } from '../prompts/all-prompts.ts';
import type { PromptHead } from '../prompts/head.ts';
import { readEntries } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { countersOf } from '../usage/counters.ts';
import { type Fetched, summed } from '../usage/days.ts';
import { createReadSecrets, readsBySecret, secretReadsOf } from '../usage/secret-reads.ts';
import { type ApiKeyRow, createCallCounts, readApiKeyRow } from './api-key-rows.ts';
import { recentRefusals } from './refusals.ts';

const KNOWN_DAYS = 30;
const REFUSED_DAYS = 7;

/** An API key, what it may read and what it read. */
type ApiKeyDetails = ReplyTo<'keys-get'> & { readonly key: ApiKeyRow };

const fetchedBy = async (table: Table, { keyId, createdAt }: ApiKey, now: Date) => {
  const days = await readDaysSince(createdAt, KNOWN_DAYS, now, (day) => countersOf(table, day));
  const own = days.flat().filter(({ apiKeyId }) => apiKeyId === keyId);
  return summed(own, ({ promptId }) => promptId);
};

const ofPrompts = (key: ApiKey, prompts: readonly PromptHead[], fetches: ReadonlyMap<string, Fetched>) => ({
  prompts: {
    allowed: key.permissions.includes('prompts')
      ? prompts.filter(({ name }) => matchesPromptPatterns(key.prompts, name)).length
      : 0,
    total: prompts.length,
  },
  fetched: prompts
    .flatMap(({ promptId, name }) => {
      const own = fetches.get(promptId);
      return own === undefined ? [] : [{ promptId, name, fetches: own.count, lastAt: own.lastAt }];
    })
    .sort((a, b) => b.fetches - a.fetches),
});

const ofSecrets = (key: ApiKey, secrets: readonly SecretEntry[], reads: ReadonlyMap<string, Fetched>) => ({
  secrets: {
    allowed: key.permissions.includes('secrets')
      ? secrets.filter(({ tags }) => key.tags.every((tag) => tags.includes(tag))).length
      : 0,
    total: secrets.length,
  },
  read: secrets.flatMap((secret) => {
    const own = reads.get(secret.secretId);
    if (own === undefined) return [];
    const { secretId, key: name, changedAt, number, highest } = secret;
    const { count, lastAt } = own;
    // A value that was made current again has the time of that, so it counts as known whenever it was saved.
    const known = number < highest || changedAt <= later(lastAt, key.revokedAt ?? '');
    return [{ secretId, key: name, reads: count, lastAt, known }];
  }),
});

/** Looks up the details of a key, also of a revoked one. Errors: `api_key_not_found`, `unavailable`. */
export const createApiKeyDetails = (table: Table) => {
  const callCounts = createCallCounts(table);
  const readSecretsOf = createReadSecrets(table);

  const readsBy = async ({ keyId, createdAt }: ApiKey, now: Date) => {
    const days = await readDaysSince(createdAt, KNOWN_DAYS, now, (day) => secretReadsOf(table, day));
    const own = days.flat().filter(({ apiKeyId }) => apiKeyId === keyId);
    return readsBySecret(readSecretsOf, own);
  };

  return async (keyId: string, now: Date): Promise<ApiKeyDetails> => {
    const key = await readApiKeyRow(table, callCounts, now, keyId);
    if (key === undefined)
      throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
    // What a revoked key knew stays listed, also when it is looked up weeks later.
    const until = key.revokedAt === undefined ? now : new Date(key.revokedAt);
    const [prompts, { entries }, fetches, reads, refusals] = await Promise.all([
      Array.fromAsync(allPrompts(table)),
      readEntries(table),
      fetchedBy(table, key, until),
      readsBy(key, until),
      recentRefusals(table, REFUSED_DAYS, now),
    ]);
    const refused = refusals.filter((one) => one.keyId === keyId);
    return { key, ...ofPrompts(key, prompts, fetches), ...ofSecrets(key, entries, reads), refused };
  };
};

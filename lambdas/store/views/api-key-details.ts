import type { ReplyTo } from '../../../contract/documentation.ts';
import { coversEnvironment, matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { dayOf, later } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import type { SecretEntry } from '../../core/vault/secrets.ts';
import { findApiKey } from '../api-keys/api-key-row.ts';
import { findIssuerKeys } from '../api-keys/issuer-keys.ts';
import { firstPrompts, type PromptsPart } from '../prompts/all-prompts.ts';
import { isLive } from '../prompts/head.ts';
import { readHeads } from '../prompts/lookups.ts';
import { inEveryVault, readEntries } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { countersOfKey } from '../usage/counters.ts';
import { type Fetched, summed } from '../usage/days.ts';
import { createReadSecrets, readsBySecret, secretReadsOf } from '../usage/secret-reads.ts';
import { type ApiKeyRow, readApiKeyRow } from './api-key-rows.ts';
import { recentRefusals } from './refusals.ts';

const KNOWN_DAYS = 30;
const REFUSED_DAYS = 7;
const FETCHED = 100;
/** Names of what a key never read. */
const UNREAD = 20;

/** An API key, what it may read and what it read. */
type ApiKeyDetails = Omit<ReplyTo<'keys-get'>, 'key'> & { readonly key: ApiKeyRow };

const firstDay = ({ createdAt }: ApiKey, now: Date): string =>
  later(lastDays(KNOWN_DAYS, now)[0] ?? '', createdAt.slice(0, 10));

const fetchedBy = async (table: Table, key: ApiKey, now: Date) => {
  const own = countersOfKey(table, key.keyId, firstDay(key, now), dayOf(now));
  return summed(await Array.fromAsync(own), ({ promptId }) => promptId);
};

/** How much a key may read of what there is, and what of it was never read. */
const reachOf = (total: number, allowed: readonly string[], unread: readonly string[]) => ({
  ...{ allowed: allowed.length, total },
  unread: { total: unread.length, first: unread.slice(0, UNREAD) },
});

const ofPrompts = (
  key: ApiKey,
  { prompts, isLast }: PromptsPart,
  fetched: readonly { readonly name: string }[],
) => {
  const allowed = key.permissions.includes('prompts')
    ? prompts.map(({ name }) => name).filter((name) => matchesPromptPatterns(key.prompts, name))
    : [];
  const known = new Set(fetched.map(({ name }) => name));
  const unread = allowed.filter((name) => !known.has(name));
  return { ...reachOf(prompts.length, allowed, unread), ...(!isLast && { more: true }) };
};

/** The prompts that a key fetched most often: reading their names takes half a unit each. */
const namedFetches = async (table: Table, fetches: ReadonlyMap<string, Fetched>) => {
  const most = [...fetches].sort(([, a], [, b]) => b.count - a.count).slice(0, FETCHED);
  const heads = await readHeads(
    table,
    most.map(([promptId]) => promptId),
  );
  return most.flatMap(([promptId, { count, lastAt }]) => {
    const head = heads.get(promptId);
    return isLive(head) ? [{ promptId, name: head.name, fetches: count, lastAt }] : [];
  });
};

const ofSecrets = (
  key: ApiKey,
  secrets: readonly (SecretEntry & { readonly environment: string })[],
  reads: ReadonlyMap<string, Fetched>,
) => {
  const mayRead = ({ tags, environment }: (typeof secrets)[number]) =>
    key.permissions.includes('secrets') &&
    coversEnvironment(key.environments, environment) &&
    key.tags.every((tag) => tags.includes(tag));
  const namesOf = (some: typeof secrets) => some.map((secret) => secret.key);
  const allowed = secrets.filter(mayRead);
  const unread = allowed.filter(({ secretId }) => !reads.has(secretId));
  const read = secrets.flatMap((secret) => {
    const own = reads.get(secret.secretId);
    if (own === undefined) return [];
    const { environment, secretId, key: name, changedAt, number, highest } = secret;
    const { count, lastAt } = own;
    // A value that was made current again has the time of that, so it counts as known whenever it was saved.
    const known = number < highest || changedAt <= later(lastAt, key.revokedAt ?? '');
    return [{ environment, secretId, key: name, reads: count, lastAt, known }];
  });
  return { secrets: reachOf(secrets.length, namesOf(allowed), namesOf(unread)), read };
};

// What is known of the issuer whose keys are fetched for a trust.
const issuerOf = async (table: Table, { issuer, jwks }: ApiKey) => {
  if (issuer === undefined || jwks !== undefined) return {};
  const found = await findIssuerKeys(table, issuer);
  if (found === undefined) return {};
  const { keys, at, problem } = found;
  return { issuerKeys: { count: keys.length, at, ...(problem && { problem }) } };
};

/** Looks up the details of a key, also of a revoked one. Errors: `api_key_not_found`, `unavailable`. */
export const createApiKeyDetails = (table: Table) => {
  const readSecretsOf = createReadSecrets(table);

  const readsBy = async (key: ApiKey, now: Date) =>
    readsBySecret(readSecretsOf, await secretReadsOf(table, key.keyId, firstDay(key, now), dayOf(now)));

  return async (keyId: string, now: Date): Promise<ApiKeyDetails> => {
    const [listed, record] = await Promise.all([readApiKeyRow(table, now, keyId), findApiKey(table, keyId)]);
    const key = listed && { ...listed, jwks: record?.jwks };
    if (key === undefined)
      throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
    // What a revoked key knew stays listed, also when it is looked up weeks later.
    const until = key.revokedAt === undefined ? now : new Date(key.revokedAt);
    const [prompts, entries, fetched, reads, refusals, issuerKeys] = await Promise.all([
      firstPrompts(table),
      inEveryVault(table, async (vault) =>
        (await readEntries(vault)).entries.map((entry) => ({ ...entry, environment: vault.environment })),
      ),
      fetchedBy(table, key, until).then((fetches) => namedFetches(table, fetches)),
      readsBy(key, until),
      recentRefusals(table, REFUSED_DAYS, now),
      issuerOf(table, key),
    ]);
    const refused = refusals.filter((one) => one.keyId === keyId);
    return {
      key,
      prompts: ofPrompts(key, prompts, fetched),
      fetched,
      ...ofSecrets(key, entries, reads),
      refused,
      ...issuerKeys,
    };
  };
};

import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { keysReach } from '../../../contract/endpoints/api-keys.ts';
import { DEFAULT_ENVIRONMENT, matchesPromptPatterns } from '../../../contract/fields/patterns.ts';
import { readsSecret } from '../../../contract/fields/reads-secret.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { dayIn, dayOf, daysAfter, later } from '../../core/days.ts';
import { isUnused, lastDays } from '../../core/lists/day-ranges.ts';
import { firstOf } from '../../core/lists/lists.ts';
import { apiKeyKey } from '../api-keys/api-key-row.ts';
import { requireApiKey } from '../api-keys/api-keys.ts';
import { findIssuerKeys } from '../api-keys/issuer-keys.ts';
import { lastUseKey, readLastUse } from '../api-keys/uses.ts';
import { firstPrompts, type PromptsPart } from '../prompts/all-prompts.ts';
import { readLiveHeads } from '../prompts/lookups.ts';
import { openVaults, type PlacedEntry } from '../secrets/secret-lists.ts';
import type { Key, Table } from '../table.ts';
import { countersOfKey } from '../usage/counters.ts';
import { countOf, type Fetched, summed } from '../usage/days.ts';
import { failuresAndUses } from '../usage/failure-counts.ts';
import { createReadSecrets, readsBySecret, secretReadsOf } from '../usage/secret-reads.ts';
import { type ApiKeyRow, rowOf } from './api-key-rows.ts';
import { recentRefusals } from './refusals.ts';
import { wasCurrentAt } from './secret-readers.ts';

const NAMED_PROMPTS = 100;
const MOST_FAILING = 50;

/** An API key, what it may read and what it read. */
type ApiKeyDetails = Omit<ReplyTo<'keys-get'>, 'key'> & { readonly key: ApiKeyRow };

type Limits = InputOf<typeof keysReach.body>;

const ofAllowed = <Item>(items: readonly Item[], allowed: readonly Item[], isLast = true) => ({
  allowed: allowed.length,
  total: items.length,
  ...(!isLast && { more: true }),
});

/** The prompts that a key may fetch, publish or compare. */
const allowedPrompts = ({ permissions, prompts = [] }: Limits, all: PromptsPart['prompts']) =>
  permissions.some((each) => each !== 'secrets')
    ? all.filter(({ name }) => matchesPromptPatterns(prompts, name))
    : [];

/** What a key with these limits reaches of what there is, with the first names. */
export const reachOf = async (table: Table, limits: Limits): Promise<ReplyTo<'keys-reach'>> => {
  const [{ prompts, isLast }, readAllSecrets] = await Promise.all([firstPrompts(table), openVaults(table)]);
  const secrets = await readAllSecrets();
  const allowed = allowedPrompts(limits, prompts);
  const read = secrets.filter((secret) => readsSecret(limits, secret));
  const nameOf = ({ key, environment }: PlacedEntry) =>
    environment === DEFAULT_ENVIRONMENT ? key : `${key} of ${environment}`;
  return {
    prompts: {
      ...ofAllowed(prompts, allowed, isLast),
      first: firstOf(allowed.map(({ name }) => name)).first,
    },
    secrets: { ...ofAllowed(secrets, read), first: firstOf(read.map(nameOf)).first },
  };
};

const ofPrompts = (
  key: ApiKey,
  { prompts, isLast }: PromptsPart,
  fetches: ReadonlyMap<string, Fetched>,
  unusedSince: string,
) => {
  const allowed = allowedPrompts(key, prompts);
  const unread = allowed.filter(
    ({ promptId, createdAt }) =>
      key.permissions.includes('prompts') && isUnused(createdAt, fetches.get(promptId)?.lastAt, unusedSince),
  );
  return { ...ofAllowed(prompts, allowed, isLast), unread: firstOf(unread.map(({ name }) => name)) };
};

/** The prompts that a key fetched most often: reading their names takes half a unit each. */
const namedFetches = async (table: Table, fetches: ReadonlyMap<string, Fetched>) => {
  const most = [...fetches].sort(([, a], [, b]) => b.count - a.count).slice(0, NAMED_PROMPTS);
  const heads = await readLiveHeads(
    table,
    most.map(([promptId]) => promptId),
  );
  return most.flatMap(([promptId, { count, lastAt }]) => {
    const head = heads.get(promptId);
    return head ? [{ promptId, name: head.name, fetches: count, lastAt }] : [];
  });
};

/** The failing calls of a key by prompt and reason, latest first. */
const failingOf = async (table: Table, keyId: string, now: Date): Promise<ApiKeyDetails['failing']> => {
  const since = daysAfter(now, -LIMITS.failingDays).toISOString();
  const { failures } = await failuresAndUses(table, since);
  const own = failures.filter(({ apiKeyId }) => apiKeyId === keyId);
  const groups = Map.groupBy(own, ({ promptId, code, reason, label, version }) =>
    JSON.stringify([promptId, code, reason, label, version]),
  );
  const shown = [...groups.values()]
    .slice(0, MOST_FAILING)
    .flatMap(([last, ...others]) =>
      last ? [{ ...last, calls: others.reduce((sum, { calls }) => sum + calls, last.calls) }] : [],
    );
  const heads = await readLiveHeads(
    table,
    shown.map(({ promptId }) => promptId),
  );
  return shown.flatMap(({ promptId, code, reason, label, version, calls, lastAt }) => {
    const head = heads.get(promptId);
    return head ? [{ promptId, name: head.name, code, reason, label, version, calls, lastAt }] : [];
  });
};

const ofSecrets = (
  key: ApiKey,
  secrets: readonly PlacedEntry[],
  reads: ReadonlyMap<string, Fetched>,
  unusedSince: string,
) => {
  const allowed = secrets.filter((secret) => readsSecret(key, secret));
  const unread = allowed.filter(({ secretId, createdAt }) =>
    isUnused(createdAt, reads.get(secretId)?.lastAt, unusedSince),
  );
  const read = secrets.flatMap((secret) => {
    const read = reads.get(secret.secretId);
    if (read === undefined) return [];
    const { environment, secretId, key: name, number, highest } = secret;
    const { count, lastAt } = read;
    // A value that was made current again has the time of that, so it counts as known whenever it was saved.
    const known = number < highest || wasCurrentAt(secret, later(lastAt, key.revokedAt ?? ''));
    return [{ environment, secretId, key: name, reads: count, lastAt, known }];
  });
  return {
    secrets: { ...ofAllowed(secrets, allowed), unread: firstOf(unread.map((secret) => secret.key)) },
    read,
  };
};

// What is known of the issuer whose keys are fetched for a trust.
const issuerOf = async (table: Table, { issuer, jwks }: ApiKey) => {
  if (issuer === undefined || jwks !== undefined) return {};
  const found = await findIssuerKeys(table, issuer);
  if (found === undefined) return {};
  const { keys, at, problem } = found;
  return { issuerKeys: { count: keys.length, at, problem } };
};

/** The rows of a key, to be read ahead. */
export const rowsOfKey = (keyId: string): Key[] => [apiKeyKey(keyId), lastUseKey(keyId)];

/** Looks up the details of a key, also of a revoked one; `table` is that of the call. */
export const createApiKeyDetails = (shared: Table) => {
  const readSecretsOf = createReadSecrets(shared, undefined, 'eventually');

  return async (keyId: string, now: Date, table = shared): Promise<ApiKeyDetails> => {
    const [key, lastUse] = await Promise.all([requireApiKey(table, keyId), readLastUse(table, keyId)]);
    // What a revoked key knew stays listed, also when it is looked up weeks later.
    const until = key.revokedAt === undefined ? now : new Date(key.revokedAt);
    const [shownFrom = ''] = lastDays(LIMITS.shownDays, until);
    const from = later(shownFrom, dayIn(key.createdAt));
    const to = dayOf(until);
    const [prompts, readAllSecrets, counters, secretReads, refusals, issuerKeys, failing] = await Promise.all(
      [
        firstPrompts(table),
        openVaults(table),
        countersOfKey(table, keyId, from, to),
        secretReadsOf(table, keyId, from, to),
        recentRefusals(table, LIMITS.shownDays, now),
        issuerOf(table, key),
        failingOf(table, keyId, now),
      ],
    );
    const fetches = summed(counters, ({ promptId }) => promptId);
    // All that is read now is read in one call.
    const [fetched, secrets, reads] = await Promise.all([
      namedFetches(table, fetches),
      readAllSecrets(),
      readsBySecret(readSecretsOf, secretReads),
    ]);
    const unusedSince = later(daysAfter(until, -LIMITS.shownDays).toISOString(), key.createdAt);
    const calls = { prompts: countOf(counters), secrets: countOf(secretReads) };
    return {
      key: rowOf(key, now, lastUse, calls, refusals),
      prompts: ofPrompts(key, prompts, fetches, unusedSince),
      fetched,
      ...ofSecrets(key, secrets, reads, unusedSince),
      failing,
      refused: refusals.filter((one) => one.keyId === keyId),
      ...issuerKeys,
    };
  };
};

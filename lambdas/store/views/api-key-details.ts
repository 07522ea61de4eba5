import { matchesPromptPatterns } from '../../../contract/prompt-patterns.ts';
import type { ApiKey } from '../../core/api-keys/rules.ts';
import { later } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import { inParallel } from '../../core/parallel.ts';
import type { SecretSummary } from '../../core/vault/secrets.ts';
import { readDaysSince } from '../daily-cache.ts';
import { allPrompts } from '../prompts/all-prompts.ts';
import type { PromptHead } from '../prompts/head.ts';
import { listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { countersOf } from '../usage/counters.ts';
import { type Fetched, summed } from '../usage/days.ts';
import {
  createReadSecrets,
  type ReadSecrets,
  type SecretReads,
  secretReadsOf,
} from '../usage/secret-reads.ts';
import { type ApiKeyRow, createCallCounts, readApiKeyRow } from './api-key-rows.ts';
import { type Refused, recentRefusals } from './refusals.ts';

const KNOWN_DAYS = 30;
const REFUSED_DAYS = 7;

/** How much of something a key may read. */
interface Reach {
  readonly allowed: number;
  readonly total: number;
}

/** An API key, what it may read and what it read. Times are ISO 8601 in UTC. */
export interface ApiKeyDetails {
  readonly key: ApiKeyRow;
  readonly prompts: Reach;
  readonly secrets: Reach;
  /** Prompts that exist and that it fetched within 30 days up to now or its revocation, most fetched first. */
  readonly fetched: readonly {
    readonly promptId: string;
    readonly name: string;
    readonly fetches: number;
    readonly lastAt: string;
  }[];
  /** Secrets that exist and that it read within the same days, by key. */
  readonly read: readonly {
    readonly secretId: string;
    readonly key: string;
    readonly reads: number;
    readonly lastAt: string;
    readonly changedAt: string;
  }[];
  /** In the last seven days, by reason, latest first. */
  readonly refused: readonly Refused[];
}

const fetchedBy = async (table: Table, { keyId, createdAt }: ApiKey, now: Date) => {
  const days = await readDaysSince(createdAt, KNOWN_DAYS, now, (day) => countersOf(table, day));
  const own = days.flat().filter(({ apiKeyId }) => apiKeyId === keyId);
  return summed(own, ({ promptId }) => promptId);
};

/** How often each secret was among the results of these reads, by secret id. */
const readsOfSecrets = async (readSecretsOf: ReadSecrets, reads: readonly SecretReads[]) => {
  const sums = new Map<string, Fetched>();
  await inParallel(
    Map.groupBy(reads, ({ digest }) => digest),
    async ([digest, ofDigest]) => {
      for (const secretId of await readSecretsOf(digest)) {
        for (const { count, at } of ofDigest) {
          const sum = sums.get(secretId) ?? { count: 0, lastAt: '' };
          sums.set(secretId, { count: sum.count + count, lastAt: later(sum.lastAt, at) });
        }
      }
    },
  );
  return sums;
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

const ofSecrets = (key: ApiKey, secrets: readonly SecretSummary[], reads: ReadonlyMap<string, Fetched>) => ({
  secrets: {
    allowed: key.permissions.includes('secrets')
      ? secrets.filter(({ tags }) => key.tags.every((tag) => tags.includes(tag))).length
      : 0,
    total: secrets.length,
  },
  read: secrets.flatMap(({ secretId, key: name, changedAt }) => {
    const own = reads.get(secretId);
    return own === undefined
      ? []
      : [{ secretId, key: name, reads: own.count, lastAt: own.lastAt, changedAt }];
  }),
});

/** Looks up the details of a key, also of a revoked one. Errors: `api_key_not_found`, `unavailable`. */
export const createApiKeyDetails = (table: Table) => {
  const callCounts = createCallCounts(table);
  const readSecretsOf = createReadSecrets(table);

  const readsBy = async ({ keyId, createdAt }: ApiKey, now: Date) => {
    const days = await readDaysSince(createdAt, KNOWN_DAYS, now, (day) => secretReadsOf(table, day));
    return readsOfSecrets(
      readSecretsOf,
      days.flat().filter(({ apiKeyId }) => apiKeyId === keyId),
    );
  };

  return async (keyId: string, now: Date): Promise<ApiKeyDetails> => {
    const key = await readApiKeyRow(table, callCounts, now, keyId);
    if (key === undefined)
      throw new CuevaultError('api_key_not_found', `There is no API key with the id "${keyId}".`);
    // What a revoked key knew stays listed, also when it is looked up weeks later.
    const until = key.revokedAt === undefined ? now : new Date(key.revokedAt);
    const [prompts, secrets, fetches, reads, refusals] = await Promise.all([
      Array.fromAsync(allPrompts(table)),
      listSecrets(table),
      fetchedBy(table, key, until),
      readsBy(key, until),
      recentRefusals(table, REFUSED_DAYS, now),
    ]);
    const refused = refusals.filter((one) => one.keyId === keyId);
    return { key, ...ofPrompts(key, prompts, fetches), ...ofSecrets(key, secrets, reads), refused };
  };
};

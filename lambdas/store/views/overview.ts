import type { ReplyTo } from '../../../contract/documentation.ts';
import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { daysAfter } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import { isRotationUnfinished, type SecretSummary } from '../../core/vault/values.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { type LastUses, readLastUses } from '../api-keys/uses.ts';
import { firstPrompts } from '../prompts/all-prompts.ts';
import { isAboveReserved, isLive } from '../prompts/head.ts';
import { readHeads } from '../prompts/lookups.ts';
import { inEveryVault, listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import {
  countOf,
  type Fetched,
  readSecretReads,
  readUsageDays,
  topBy,
  topOfDays,
  type UsageDay,
} from '../usage/days.ts';
import { createReadSecrets, readsBySecret } from '../usage/secret-reads.ts';
import { listAudit } from './audit-list.ts';
import { failingPrompts } from './failing-calls.ts';
import { recentRefusals } from './refusals.ts';

const IDLE_DAYS = 30;
const EXPIRING_DAYS = 14;
const TOP = 10;
/** Some of the most fetched may have been deleted. */
const CANDIDATES = 30;
const LISTED = 20;
const CHANGES = 10;
/** Who creates the first key of an installation on a laptop. */
const SYSTEM = 'system';

const daysAway = (now: Date, days: number): string => daysAfter(now, days).toISOString();

type Overview = ReplyTo<'overview-get'>;

const highestOf = (versions: readonly Fetched[]): number => Math.max(...versions.map(({ count }) => count));

const mostFetched = <Part extends { readonly fetches: number }>(parts: readonly Part[]): Part[] =>
  parts
    .filter(({ fetches }) => fetches > 0)
    .sort((a, b) => b.fetches - a.fetches)
    .slice(0, TOP);

/** The ten most fetched prompts and the ten most fetched versions that are not deleted. */
const topOf = async (table: Table, days: readonly UsageDay[]) => {
  const prompts = topOfDays(days);
  const candidates = new Map(
    [countOf, highestOf].flatMap((weightOf) => topBy(prompts, weightOf, CANDIDATES)),
  );
  const heads = await readHeads(table, [...candidates.keys()]);
  const found = [...candidates].map(([promptId, versions]) => {
    const head = heads.get(promptId);
    if (!isLive(head)) return [];
    const own = versions.filter(({ version }) => isAboveReserved(head, version));
    return [{ prompt: { promptId, name: head.name }, versions: own }];
  });
  const live = found.flat();
  return {
    topPrompts: mostFetched(live.map(({ prompt, versions }) => ({ ...prompt, fetches: countOf(versions) }))),
    topVersions: mostFetched(
      live.flatMap(({ prompt, versions }) =>
        versions.map(({ version, count }) => ({ ...prompt, version, fetches: count })),
      ),
    ),
  };
};

const watched = (uses: LastUses, apiKeys: readonly ApiKey[]): Overview['unusedKeys'] =>
  apiKeys.map(({ keyId, name, expiresAt }) => ({
    keyId,
    name,
    lastUsedAt: uses.get(keyId) ?? null,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));

const keysToWatch = async (table: Table, now: Date) => {
  const [all, uses] = await Promise.all([allApiKeys(table), readLastUses(table)]);
  const active = all.filter((apiKey) => statusOf(apiKey, now) === 'active');
  const idleSince = daysAway(now, -IDLE_DAYS);
  const expiring = active
    .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < daysAway(now, EXPIRING_DAYS))
    .sort((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1));
  const unused = active.filter(
    ({ keyId, createdAt }) => createdAt < idleSince && (uses.get(keyId) ?? '') < idleSince,
  );
  return {
    active: active.length,
    ownKeys: active.filter(({ createdBy }) => createdBy !== SYSTEM).length,
    isInUse: uses.size > 0,
    unusedKeys: watched(uses, unused.slice(0, LISTED)),
    expiringKeys: watched(uses, expiring.slice(0, LISTED)),
  };
};

/** The secrets that must be rotated before a time, by day. */
const toRotate = (secrets: readonly SecretSummary[], before: string): Overview['secretsToRotate'] => {
  const due = secrets
    .flatMap(({ environment, secretId, key, rotateBy }) =>
      rotateBy !== undefined && rotateBy < before ? [{ environment, secretId, key, rotateBy }] : [],
    )
    .sort((a, b) => (a.rotateBy < b.rotateBy ? -1 : 1));
  return { total: due.length, first: due.slice(0, LISTED) };
};

/** The secrets whose earlier credential may still work, oldest change first. */
const unfinished = (secrets: readonly SecretSummary[]): Overview['unfinishedRotations'] => {
  const found = secrets
    .filter(isRotationUnfinished)
    .map(({ environment, secretId, key, changedAt }) => ({ environment, secretId, key, changedAt }))
    .sort((a, b) => (a.changedAt < b.changedAt ? -1 : 1));
  return { total: found.length, first: found.slice(0, LISTED) };
};

const fetchesOf = async (table: Table, days: number, now: Date) => {
  const usage = await readUsageDays(table, days, now);
  return {
    fetches: usage.map(({ day, fetches, reads }) => ({ day, prompts: fetches, secrets: reads })),
    ...(await topOf(table, usage)),
  };
};

/**
 * Reads the overview of the last `days` days up to `now`, 30 at most; counts are a few minutes late.
 * Errors: `unavailable`.
 */
export const createOverview = (table: Table): ((days: number, now: Date) => Promise<Overview>) => {
  const readSecretsOf = createReadSecrets(table);

  const secrets = async (now: Date) => {
    const readSecrets = async () =>
      readsBySecret(readSecretsOf, await readSecretReads(table, IDLE_DAYS, now));
    const [all, reads] = await Promise.all([inEveryVault(table, listSecrets), readSecrets()]);
    const idleSince = daysAway(now, -IDLE_DAYS);
    const unread = all.filter(({ secretId, createdAt }) => createdAt < idleSince && !reads.has(secretId));
    const first = unread
      .slice(0, LISTED)
      .map(({ environment, secretId, key }) => ({ environment, secretId, key }));
    return {
      count: all.length,
      samples: all.filter(({ tags }) => tags.includes(SAMPLE_TAG)).length,
      unreadSecrets: { total: unread.length, first },
      unfinishedRotations: unfinished(all),
      secretsToRotate: toRotate(all, daysAway(now, EXPIRING_DAYS)),
    };
  };

  return async (days, now) => {
    const [from = '', to = ''] = [...lastDays(IDLE_DAYS, now).slice(0, 1), ...lastDays(1, now)];
    const [
      { prompts, isLast },
      fetched,
      { count, samples, ...ofSecrets },
      { active, ownKeys, ...keys },
      refused,
      failing,
      audit,
    ] = await Promise.all([
      firstPrompts(table),
      fetchesOf(table, days, now),
      secrets(now),
      keysToWatch(table, now),
      recentRefusals(table, 1, now),
      failingPrompts(table, now),
      listAudit(table, { from, to, kind: 'change', drafts: false, limit: CHANGES }),
    ]);
    const tagged = prompts.filter(({ tags }) => tags.includes(SAMPLE_TAG)).length;
    const totals = {
      ...{ prompts: prompts.length, secrets: count, keys: active, ownKeys, samples: tagged + samples },
      ...(!isLast && { morePrompts: true }),
    };
    const toWatch = { failingPrompts: failing, refused: refused.slice(0, LISTED) };
    const parts = { ...fetched, ...keys, ...ofSecrets, ...toWatch };
    return { totals, ...parts, changes: audit.entries };
  };
};

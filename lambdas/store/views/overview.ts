import type { ReplyTo } from '../../../contract/documentation.ts';
import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { daysAfter } from '../../core/days.ts';
import { inParallel } from '../../core/parallel.ts';
import { isRotationUnfinished, type SecretSummary } from '../../core/vault/secrets.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { lastUseOf } from '../api-keys/uses.ts';
import { lastDays } from '../daily-cache.ts';
import { countPrompts } from '../prompts/all-prompts.ts';
import { isAboveReserved, isLive, readHead } from '../prompts/head.ts';
import { listSecrets } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { createUsageDays, type Fetched, promptsOfDays, type UsageDay } from '../usage/days.ts';
import { createReadSecrets, readsBySecret, type SecretReads } from '../usage/secret-reads.ts';
import { listAudit } from './audit-list.ts';
import { recentRefusals } from './refusals.ts';
import { createReadDays } from './secret-rows.ts';

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

const totalOf = (versions: readonly Fetched[]): number => versions.reduce((sum, { count }) => sum + count, 0);
const highestOf = (versions: readonly Fetched[]): number => Math.max(...versions.map(({ count }) => count));

const mostFetched = <Part extends { readonly fetches: number }>(parts: readonly Part[]): Part[] =>
  parts
    .filter(({ fetches }) => fetches > 0)
    .sort((a, b) => b.fetches - a.fetches)
    .slice(0, TOP);

/** The ten most fetched prompts and the ten most fetched versions that are not deleted. */
const topOf = async (table: Table, days: readonly UsageDay[]) => {
  const prompts = [...promptsOfDays(days)];
  const first = (weightOf: (versions: readonly Fetched[]) => number) =>
    prompts.toSorted(([, a], [, b]) => weightOf(b) - weightOf(a)).slice(0, CANDIDATES);
  const candidates = new Set([...first(totalOf), ...first(highestOf)]);
  const found = await inParallel(candidates, async ([promptId, versions]) => {
    const head = await readHead(table, promptId);
    if (!isLive(head)) return [];
    const own = versions.filter(({ version }) => isAboveReserved(head, version));
    return [{ prompt: { promptId, name: head.name }, versions: own }];
  });
  const live = found.flat();
  return {
    topPrompts: mostFetched(live.map(({ prompt, versions }) => ({ ...prompt, fetches: totalOf(versions) }))),
    topVersions: mostFetched(
      live.flatMap(({ prompt, versions }) =>
        versions.map(({ version, count }) => ({ ...prompt, version, fetches: count })),
      ),
    ),
  };
};

/** The fetches and reads of 30 days, oldest first. */
interface Days {
  readonly usage: readonly UsageDay[];
  readonly reads: readonly (readonly SecretReads[])[];
}

/** The keys that were used on these days. */
const usedOn = ({ usage, reads }: Days): ReadonlySet<string> =>
  new Set([
    ...usage.flatMap(({ apiKeys }) => [...apiKeys.keys()]),
    ...reads.flat().map(({ apiKeyId }) => apiKeyId),
  ]);

const watched = (table: Table, apiKeys: readonly ApiKey[]): Promise<Overview['unusedKeys']> =>
  inParallel(apiKeys, async ({ keyId, name, expiresAt }) => ({
    keyId,
    name,
    lastUsedAt: (await lastUseOf(table, keyId)) ?? null,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  }));

const keysToWatch = async (table: Table, now: Date, days: Promise<Days>) => {
  const active = (await allApiKeys(table)).filter((apiKey) => statusOf(apiKey, now) === 'active');
  const idleSince = daysAway(now, -IDLE_DAYS);
  const recent = usedOn(await days);
  const old = await watched(
    table,
    active.filter(({ keyId, createdAt }) => createdAt < idleSince && !recent.has(keyId)),
  );
  const expiring = active
    .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < daysAway(now, EXPIRING_DAYS))
    .sort((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1));
  return {
    active: active.length,
    ownKeys: active.filter(({ createdBy }) => createdBy !== SYSTEM).length,
    isInUse: recent.size > 0 || old.some(({ lastUsedAt }) => lastUsedAt !== null),
    unusedKeys: old.filter(({ lastUsedAt }) => (lastUsedAt ?? '') < idleSince).slice(0, LISTED),
    expiringKeys: await watched(table, expiring.slice(0, LISTED)),
  };
};

/** The secrets that must be rotated before a time, by day. */
const toRotate = (secrets: readonly SecretSummary[], before: string): Overview['secretsToRotate'] => {
  const due = secrets
    .flatMap(({ secretId, key, rotateBy }) =>
      rotateBy !== undefined && rotateBy < before ? [{ secretId, key, rotateBy }] : [],
    )
    .sort((a, b) => (a.rotateBy < b.rotateBy ? -1 : 1));
  return { total: due.length, first: due.slice(0, LISTED) };
};

/** The secrets whose earlier credential may still work, oldest change first. */
const unfinished = (secrets: readonly SecretSummary[]): Overview['unfinishedRotations'] => {
  const found = secrets
    .filter(isRotationUnfinished)
    .map(({ secretId, key, changedAt }) => ({ secretId, key, changedAt }))
    .sort((a, b) => (a.changedAt < b.changedAt ? -1 : 1));
  return { total: found.length, first: found.slice(0, LISTED) };
};

const fetchesOf = async (table: Table, { usage, reads }: Days) => {
  const counts = reads.map((day) => day.reduce((sum, { count }) => sum + count, 0));
  return {
    fetches: usage.map(({ day, total }, i) => ({ day, prompts: total, secrets: counts[i] ?? 0 })),
    ...(await topOf(table, usage)),
  };
};

/**
 * Reads the overview of the last `days` days up to `now`, 30 at most; past days are cached.
 * Errors: `unavailable`.
 */
export const createOverview = (table: Table): ((days: number, now: Date) => Promise<Overview>) => {
  const usageDays = createUsageDays(table);
  const readDays = createReadDays(table);
  const readSecretsOf = createReadSecrets(table);

  const daysUpTo = async (now: Date): Promise<Days> => {
    const [usage, reads] = await Promise.all([usageDays(IDLE_DAYS, now), readDays(IDLE_DAYS, now)]);
    return { usage, reads };
  };

  const fetches = async (count: number, days: Promise<Days>) => {
    const { usage, reads } = await days;
    return fetchesOf(table, { usage: usage.slice(-count), reads: reads.slice(-count) });
  };

  const secrets = async (now: Date, days: Promise<Days>) => {
    const readSecrets = async () => readsBySecret(readSecretsOf, (await days).reads.flat());
    const [all, reads] = await Promise.all([listSecrets(table), readSecrets()]);
    const idleSince = daysAway(now, -IDLE_DAYS);
    const unread = all.filter(({ secretId, createdAt }) => createdAt < idleSince && !reads.has(secretId));
    const first = unread.slice(0, LISTED).map(({ secretId, key }) => ({ secretId, key }));
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
    // Read once for all parts: the last two days are not cached.
    const read = daysUpTo(now);
    const [
      { prompts, tagged },
      fetched,
      { count, samples, ...ofSecrets },
      { active, ownKeys, ...keys },
      refused,
      audit,
    ] = await Promise.all([
      countPrompts(table, SAMPLE_TAG),
      fetches(days, read),
      secrets(now, read),
      keysToWatch(table, now, read),
      recentRefusals(table, 1, now),
      listAudit(table, { from, to, kind: 'change', drafts: false, limit: CHANGES }),
    ]);
    const totals = { prompts, secrets: count, keys: active, ownKeys, samples: tagged + samples };
    const parts = { ...fetched, ...keys, ...ofSecrets, refused: refused.slice(0, LISTED) };
    return { totals, ...parts, changes: audit.entries };
  };
};

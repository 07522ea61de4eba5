import type { ReplyTo } from '../../../contract/documentation.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { SAMPLE_TAG } from '../../../contract/samples.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { dayOf, daysAfter } from '../../core/days.ts';
import { isUnused, lastDays } from '../../core/lists/day-ranges.ts';
import { firstOf, LISTED_ENTRIES } from '../../core/lists/lists.ts';
import { isRotationUnfinished } from '../../core/vault/values.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import type { LastUses } from '../api-keys/uses.ts';
import { firstPrompts, type PromptsPart } from '../prompts/all-prompts.ts';
import { lastCount } from '../prompts/counts.ts';
import { isAboveReserved, type ListedPrompt } from '../prompts/head.ts';
import { readLiveHeads } from '../prompts/lookups.ts';
import { openVaults, type PlacedEntry } from '../secrets/secret-lists.ts';
import type { Table } from '../table.ts';
import { countOf, type Fetched, readUse, topBy, topOfDays, type UsageDay } from '../usage/days.ts';
import { failuresAndUses } from '../usage/failure-counts.ts';
import { createReadSecrets, readsBySecret } from '../usage/secret-reads.ts';
import { listAudit } from './audit-list.ts';
import { byPrompt, failingPrompts, shownSince } from './failing-calls.ts';
import { recentRefusals } from './refusals.ts';

const EXPIRING_DAYS = 14;
const TOP_PROMPTS = 10;
/** Some of the most fetched may have been deleted. */
const CANDIDATE_PROMPTS = 30;
const LISTED_CHANGES = 10;
/** Who creates the first key of an installation on a laptop. */
const SYSTEM = 'system';

const daysAway = (now: Date, days: number) => daysAfter(now, days).toISOString();

type Overview = ReplyTo<'overview-get'>;

const samplesIn = (all: readonly { readonly tags: readonly string[] }[]) =>
  all.filter(({ tags }) => tags.includes(SAMPLE_TAG)).length;

/** How many prompts and samples there are: those of the list, or of the last count if the list has a part of them. */
const countPrompts = async (table: Table, { prompts, isLast }: PromptsPart) => {
  const last = isLast ? { prompts: 0, samples: 0 } : await lastCount(table);
  // After a restore, less may be counted until the next day.
  const samples = Math.max(samplesIn(prompts), last.samples);
  return { prompts: Math.max(prompts.length, last.prompts), samples };
};

/** The most fetched of some prompts on these days, each with its fetches per day. */
const mostFetched = (
  days: readonly UsageDay[],
  prompts: ReadonlyMap<string, ListedPrompt>,
): Overview['topPrompts'] =>
  [...prompts.values()]
    .map((prompt) => {
      const { promptId, name } = prompt;
      const perDay = days.map(({ top }) =>
        countOf((top.get(promptId) ?? []).filter(({ version }) => isAboveReserved(prompt, version))),
      );
      return { promptId, name, fetches: perDay.reduce((sum, each) => sum + each, 0), perDay };
    })
    .filter(({ fetches }) => fetches > 0)
    .sort((a, b) => b.fetches - a.fetches)
    .slice(0, TOP_PROMPTS);

/** The prompts with these ids that are not deleted: from the list if it has all prompts. */
const findPrompts = async (table: Table, { prompts, isLast }: PromptsPart, ids: readonly string[]) => {
  const live = isLast ? prompts : (await readLiveHeads(table, ids)).values();
  return new Map([...live].map((prompt) => [prompt.promptId, prompt]));
};

const watched = (uses: LastUses, apiKeys: readonly ApiKey[]): Overview['unusedKeys'] =>
  apiKeys.map(({ keyId, name, expiresAt }) => ({
    keyId,
    name,
    lastUsedAt: uses.get(keyId) ?? null,
    expiresAt,
  }));

const keysToWatch = (all: readonly ApiKey[], uses: LastUses, now: Date) => {
  const active = all.filter((apiKey) => statusOf(apiKey, now) === 'active');
  const idleSince = daysAway(now, -LIMITS.shownDays);
  const expiring = active
    .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt < daysAway(now, EXPIRING_DAYS))
    .sort((a, b) => ((a.expiresAt ?? '') < (b.expiresAt ?? '') ? -1 : 1));
  const unused = active.filter(({ keyId, createdAt }) => isUnused(createdAt, uses.get(keyId), idleSince));
  return {
    active: active.length,
    ownKeys: active.filter(({ createdBy }) => createdBy !== SYSTEM).length,
    isInUse: uses.size > 0,
    unusedKeys: watched(uses, unused.slice(0, LISTED_ENTRIES)),
    expiringKeys: watched(uses, expiring.slice(0, LISTED_ENTRIES)),
  };
};

/** The secrets that need somebody: those not read, those whose earlier credential may still work, and those to rotate. */
const toReview = (all: readonly PlacedEntry[], reads: ReadonlyMap<string, Fetched>, now: Date) => {
  const idleSince = daysAway(now, -LIMITS.shownDays);
  const soon = daysAway(now, EXPIRING_DAYS);
  const named = ({ environment, secretId, key }: PlacedEntry) => ({ environment, secretId, key });
  const unread = all.filter(({ secretId, createdAt }) =>
    isUnused(createdAt, reads.get(secretId)?.lastAt, idleSince),
  );
  const unfinished = all
    .filter(isRotationUnfinished)
    .map((each) => ({ ...named(each), changedAt: each.changedAt }));
  const due = all
    .map((each) => ({ ...named(each), rotateBy: each.rotateBy ?? soon }))
    .filter(({ rotateBy }) => rotateBy < soon);
  return {
    unreadSecrets: firstOf(unread.map(named)),
    unfinishedRotations: firstOf(unfinished.sort((a, b) => (a.changedAt < b.changedAt ? -1 : 1))),
    secretsToRotate: firstOf(due.sort((a, b) => (a.rotateBy < b.rotateBy ? -1 : 1))),
  };
};

/**
 * Reads the overview of the last `days` days up to `now`, 30 at most; counts are a few minutes late. `table` is that of
 * the call.
 */
export const createOverview = (shared: Table) => {
  const readSecretsOf = createReadSecrets(shared, undefined, 'eventually');

  return async (days: number, now: Date, table = shared): Promise<Overview> => {
    const [from = ''] = lastDays(LIMITS.shownDays, now);
    const [listing, use, readAllSecrets, apiKeys, { failures, uses }, refused, audit] = await Promise.all([
      firstPrompts(table),
      readUse(table, LIMITS.shownDays, now),
      openVaults(table),
      allApiKeys(table),
      failuresAndUses(table, shownSince(now)),
      recentRefusals(table, 1, now),
      listAudit(table, { from, to: dayOf(now), kind: 'change', drafts: false, limit: LISTED_CHANGES }),
    ]);
    const shown = use.days.slice(-days);
    const failing = byPrompt(failures);
    const candidates = topBy(topOfDays(shown), countOf, CANDIDATE_PROMPTS).map(([promptId]) => promptId);
    // All that is read now is read in one call.
    const [counted, prompts, secrets, reads] = await Promise.all([
      countPrompts(table, listing),
      findPrompts(table, listing, [...candidates, ...failing.keys()]),
      readAllSecrets(),
      readsBySecret(readSecretsOf, use.reads),
    ]);
    const { active, ownKeys, ...keys } = keysToWatch(apiKeys, uses, now);
    const samples = counted.samples + samplesIn(secrets);
    return {
      totals: { prompts: counted.prompts, secrets: secrets.length, keys: active, ownKeys, samples },
      fetches: shown.map(({ day, fetches, reads }) => ({ day, prompts: fetches, secrets: reads })),
      topPrompts: mostFetched(shown, prompts),
      ...keys,
      ...toReview(secrets, reads, now),
      failingPrompts: failingPrompts(failing, prompts),
      refused: refused.slice(0, LISTED_ENTRIES),
      changes: audit.entries,
    };
  };
};

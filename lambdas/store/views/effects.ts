import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { effectsGet } from '../../../contract/endpoints/usage.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { type ApiKey, statusOf } from '../../core/api-keys/rules.ts';
import { daysAfter, later } from '../../core/days.ts';
import { inParallel, memoizeAsync } from '../../core/parallel.ts';
import {
  affectedKeys,
  breakingOf,
  type Caller,
  type Meaning,
  type PromptChange,
} from '../../core/prompts/affected.ts';
import { proposedPart, servedContent } from '../../core/prompts/contents.ts';
import type { PromptContent } from '../../core/prompts/prompts.ts';
import { allApiKeys } from '../api-keys/api-keys.ts';
import { withFragments } from '../prompts/fragments.ts';
import { labelled, type PromptHead } from '../prompts/head.ts';
import { readLiveHead, requireVersion } from '../prompts/lookups.ts';
import type { PromptVersion } from '../prompts/versions.ts';
import type { Table } from '../table.ts';
import { recentAccesses } from '../usage/access-lists.ts';
import type { AccessEntry } from '../usage/accesses.ts';
import { recentFetches } from './deletion-guard.ts';

// An entry that does not record what was asked for may have followed the latest version; assume so, to warn.
const askedOf = ({ asked, label }: AccessEntry) => asked ?? (label === undefined ? 'latest' : 'label');

/** Identifies a caller: the key, and what it asks for. */
const groupOf = (entry: AccessEntry) => {
  const asked = askedOf(entry);
  return JSON.stringify([entry.apiKeyId, asked, asked === 'version' ? entry.version : entry.label]);
};

const sentByAll = (compiled: readonly AccessEntry[]): readonly string[] | undefined => {
  const [first, ...others] = compiled.map(({ variables }) => variables);
  if (first === undefined || others.includes(undefined)) return undefined;
  const sets = others.map((names) => new Set(names));
  return first.filter((name) => sets.every((names) => names.has(name)));
};

const callerOf = (entries: readonly AccessEntry[]): Caller => {
  const last = entries.reduce((latest, entry) => (latest.time > entry.time ? latest : entry));
  const compiled = entries.filter((entry) => entry.compiled);
  const variables = sentByAll(compiled);
  const { apiKeyId, apiKeyName, version, time, label } = last;
  return {
    apiKeyId,
    apiKeyName,
    asked: askedOf(last),
    version,
    lastAt: time,
    fetches: entries.length,
    compiled: compiled.length,
    label,
    variables,
  };
};

/**
 * Who fetched a prompt within the last seven days up to `now` with an API key that still works, by what it asked for. Reads at
 * most the latest `most` fetches, which are those since `since`; `earlier` are the keys of others.
 */
const callersOf = async (
  table: Table,
  head: PromptHead,
  keys: readonly ApiKey[],
  now: Date,
  most: number,
) => {
  const weekAgo = daysAfter(now, -LIMITS.inUseDays).toISOString();
  const [{ since, entries }, counts] = await Promise.all([
    recentAccesses(table, head, weekAgo, now, most),
    recentFetches(table, head, undefined, now),
  ]);
  const byId = new Map(keys.map((key) => [key.keyId, key]));
  const works = (keyId: string) => {
    const key = byId.get(keyId);
    return key === undefined || statusOf(key, now) === 'active';
  };
  const callers = [...Map.groupBy(entries, groupOf).values()].map(callerOf);
  const known = new Set(callers.map(({ apiKeyId }) => apiKeyId));
  const earlier = counts
    .filter(([apiKeyId]) => !known.has(apiKeyId))
    .map(([apiKeyId, fetches]) => ({ apiKeyId, apiKeyName: byId.get(apiKeyId)?.name ?? 'unknown', fetches }));
  return { since, callers: callers.filter(({ apiKeyId }) => works(apiKeyId)), earlier };
};

interface Asked extends Omit<InputOf<typeof effectsGet.body>, 'content'> {
  readonly content: PromptContent | undefined;
}

/** What the callers of a change get now and afterwards. */
const meaningOf = async (
  head: PromptHead,
  readVersion: (version: string) => Promise<PromptVersion>,
  change: PromptChange,
  after: PromptContent | undefined,
) => {
  const { latest = false, label, version, to } = change;
  const now = (label && labelled(head, label)) ?? (latest ? head.latest : to && version);
  const [before, next] = await Promise.all([now, to].map((version) => version && readVersion(version)));
  const content = after ?? (next || undefined);
  return {
    version: now,
    before: before ? servedContent(before) : undefined,
    after: content && servedContent(content),
  } satisfies Meaning & { version: string | undefined };
};

/**
 * What changes do to those who call the prompts, up to `now`. Each change has its share of `LIMITS.callerEntries`. Errors:
 * those of publishing the content.
 */
export const effectsOf = async (
  table: Table,
  { changes, content, affected = false }: Asked,
  now: Date,
): Promise<ReplyTo<'effects-get'>> => {
  const [after, keys] = await Promise.all([
    content && withFragments(table, content),
    affected ? allApiKeys(table) : [],
  ]);
  const most = Math.floor(LIMITS.callerEntries / changes.length);
  const found = await inParallel(changes, async (change) => {
    const head = await readLiveHead(table, change.promptId);
    const versions = new Map<string, Promise<PromptVersion>>();
    const readOnce = (version: string) =>
      memoizeAsync(versions, version, () => requireVersion(table, head, version));
    const [meaning, called, latest] = await Promise.all([
      meaningOf(head, readOnce, change, after),
      affected ? callersOf(table, head, keys, now, most) : undefined,
      after && readOnce(head.latest),
    ]);
    return { change, name: head.name, meaning, called, part: latest && after && proposedPart(latest, after) };
  });
  const judged = found.flatMap(({ called }) => called ?? []);
  const earlier = Map.groupBy(
    judged.flatMap((called) => called.earlier),
    ({ apiKeyId }) => apiKeyId,
  );
  return {
    changes: found.map(({ meaning }) => ({ before: meaning.version, breaking: breakingOf(meaning) })),
    part: found[0]?.part,
    ...(after?.authored && { expanded: after.prompt, expandedVariables: after.variables }),
    ...(affected && {
      affected: affectedKeys(
        found.map(({ change, name, meaning, called }) => ({
          ...change,
          ...meaning,
          version: change.version,
          name,
          callers: called?.callers ?? [],
        })),
      ),
    }),
    ...(judged.length > 0 && {
      since: judged.map(({ since }) => since).reduce(later),
      earlier: [...earlier.values()].flatMap(([first, ...more]) =>
        first ? [{ ...first, fetches: more.reduce((sum, { fetches }) => sum + fetches, first.fetches) }] : [],
      ),
    }),
  };
};

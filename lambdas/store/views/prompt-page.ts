import { liveVersion } from '../../../contract/content/live.ts';
import type { ReplyTo } from '../../../contract/documentation.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { later } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import type { QueryPage } from '../pages.ts';
import { eventsSince, type RecordedEvent } from '../prompts/events.ts';
import { isAboveReserved, type PromptHead } from '../prompts/head.ts';
import { getPrompt } from '../prompts/lifecycle.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import { listVersions, type VersionSummary } from '../prompts/version-lists.ts';
import { readVersion } from '../prompts/versions.ts';
import type { Table } from '../table.ts';
import { type Counter, countersOf } from '../usage/counters.ts';
import { countOf, summed } from '../usage/days.ts';
import { failingCalls } from './failing-calls.ts';

type Reply = ReplyTo<'prompts-get'>;

/** The counters of a prompt on the days that its page counts, up to `now`. */
const shownCounters = (table: Table, head: PromptHead, now: Date): Promise<Counter[]> =>
  countersOf(table, head, lastDays(LIMITS.shownDays, now)[0] ?? '', now);

type VersionRow = VersionSummary & Pick<Reply['versions'][number], 'labels' | 'fetches' | 'lastFetchedAt'>;

/** Versions with the labels that point to them and their fetches. */
const withUse = (
  { labels }: PromptHead,
  versions: readonly VersionSummary[],
  counters: readonly Counter[],
): VersionRow[] => {
  const fetched = summed(counters, ({ version }) => version);
  return versions.map((version) => ({
    ...version,
    labels: labels.filter((one) => one.version === version.version).map(({ label }) => label),
    fetches: fetched.get(version.version)?.count ?? 0,
    lastFetchedAt: fetched.get(version.version)?.lastAt ?? null,
  }));
};

/** One page of the versions of a prompt, highest first, with the labels that point to each and its usage. */
export const listVersionRows = async (
  table: Table,
  promptId: string,
  now: Date,
  limit: number,
  cursor?: string,
): Promise<QueryPage<VersionRow>> => {
  const head = await readLiveHead(table, promptId);
  const [{ items, ...rest }, counters] = await Promise.all([
    listVersions(table, head, limit, cursor),
    shownCounters(table, head, now),
  ]);
  return { items: withUse(head, items, counters), ...rest };
};

const lastMoves = ({ labels }: PromptHead, events: readonly RecordedEvent[]): Reply['moves'] =>
  labels.flatMap(({ label, version }) => {
    const last = events.find((event) => 'label' in event && event.label === label);
    if (last?.type !== 'label-set' || last.to !== version || last.from === null) return [];
    return [{ label, from: last.from, at: last.at, actor: last.actor }];
  });

/** Rows of versions are read entirely: these take about 125 units, whatever the size of a template. */
const READ_BYTES = 500_000;
const ROW_BYTES = 1_000;
const FEWEST = 2;

const firstVersions = ({ templateBytes }: PromptHead) =>
  Math.max(FEWEST, Math.min(LIMITS.page, Math.floor(READ_BYTES / (templateBytes + ROW_BYTES))));

/**
 * What the page of a prompt shows: with the version `asked`, undefined if the prompt has none such, or without it the
 * one that is live.
 */
export const promptPage = async (table: Table, promptId: string, now: Date, asked?: string) => {
  const details = await getPrompt(table, promptId);
  const { head } = details;
  const number = asked === 'latest' ? head.latest : (asked ?? liveVersion(head));
  const [version, page, counters, failing, events] = await Promise.all([
    isAboveReserved(head, number) ? readVersion(table, promptId, number) : undefined,
    listVersions(table, head, firstVersions(head)),
    shownCounters(table, head, now),
    failingCalls(table, head, now),
    eventsSince(table, promptId, head.createdAt, { most: LIMITS.events }),
  ]);
  const lastAt = counters.map((one) => one.lastAt).reduce(later, '');
  return {
    ...details,
    version,
    failing,
    versions: withUse(head, page.items, counters),
    cursor: page.cursor,
    moves: lastMoves(head, events),
    fetches: { count: countOf(counters), lastAt: lastAt || null },
  };
};

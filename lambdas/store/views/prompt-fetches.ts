import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { versionRow } from '../../../contract/shapes/prompts.ts';
import { later } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import type { PromptHead } from '../prompts/head.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import { listVersions, type VersionSummary } from '../prompts/version-lists.ts';
import type { QueryPage } from '../queries.ts';
import type { Table } from '../table.ts';
import { type Counter, countersOf } from '../usage/counters.ts';
import { summed } from '../usage/days.ts';
import { type Fetches, fetchesOf, KNOWN_DAYS } from './prompt-rows.ts';

/** The counters of one prompt on the last 30 days up to `now`, since it was created, oldest first. */
const recent = async (table: Table, { promptId, createdAt }: PromptHead, now: Date): Promise<Counter[][]> => {
  const days = lastDays(KNOWN_DAYS, now);
  const from = later(days[0] ?? '', createdAt.slice(0, 10));
  const byDay = Map.groupBy(await countersOf(table, promptId, from, days.at(-1) ?? ''), ({ day }) => day);
  return days.map((day) => byDay.get(day) ?? []);
};

/** How often a prompt was fetched recently. Errors: `unavailable`. */
export const fetchesOfPrompt = async (table: Table, head: PromptHead, now: Date): Promise<Fetches> => {
  return fetchesOf(head, await recent(table, head, now));
};

type VersionRow = VersionSummary & Pick<ReplyOf<typeof versionRow>, 'labels' | 'fetches' | 'lastFetchedAt'>;

/**
 * One page of the versions of a prompt, highest first, with the labels that point to each and its usage.
 * Errors: `prompt_not_found`, `invalid_request` (cursor), `unavailable`.
 */
export const listVersionRows = async (
  table: Table,
  promptId: string,
  now: Date,
  limit: number,
  cursor?: string,
): Promise<QueryPage<VersionRow>> => {
  const head = await readLiveHead(table, promptId);
  const [{ items, ...rest }, days] = await Promise.all([
    listVersions(table, promptId, limit, cursor),
    recent(table, head, now),
  ]);
  const fetched = summed(days.flat(), ({ version }) => version);
  const rows = items.map((version) => ({
    ...version,
    labels: head.labels.filter((one) => one.version === version.version).map(({ label }) => label),
    fetches: fetched.get(version.version)?.count ?? 0,
    lastFetchedAt: fetched.get(version.version)?.lastAt ?? null,
  }));
  return { items: rows, ...rest };
};

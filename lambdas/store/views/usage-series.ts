import type { ReplyTo } from '../../../contract/documentation.ts';
import { dayIn, later } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import { apiKeyNames } from '../api-keys/api-keys.ts';
import { eventsSince } from '../prompts/events.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { countersOf } from '../usage/counters.ts';
import { PLACEHOLDER_LEFT } from '../usage/failed-calls.ts';
import { failuresSince } from '../usage/failure-counts.ts';

/** How often a prompt was fetched on each of the last `days` days up to `now`, and its changes in that time. */
export const usageSeries = async (
  table: Table,
  promptId: string,
  days: number,
  now: Date,
): Promise<ReplyTo<'usage-get'>> => {
  const head = await readLiveHead(table, promptId);
  const { createdAt, name, latest, labels } = head;
  const [from = '', to = ''] = [lastDays(days, now)[0], lastDays(1, now)[0]];
  const [all, failed, names, events] = await Promise.all([
    countersOf(table, head, from, now),
    failuresSince(table, later(from, createdAt), promptId),
    apiKeyNames(table),
    eventsSince(table, promptId, later(from, createdAt)),
  ]);
  const counts = all
    .map(({ promptId: _, ...counted }) => counted)
    .sort((a, b) => (a.day > b.day ? -1 : Number(a.day < b.day)));
  const used = [...new Set([...counts, ...failed].map(({ apiKeyId }) => apiKeyId))];
  const failures = failed.map(({ hour, apiKeyId, version, calls, code }) => ({
    day: dayIn(hour),
    apiKeyId,
    version,
    isServed: code === PLACEHOLDER_LEFT,
    count: calls,
  }));
  const keys = used.map((keyId) => ({ keyId, name: names.get(keyId) ?? '' }));
  return { name, latest, labels, from, to, counts, failures, keys, events };
};

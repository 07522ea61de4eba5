import { later } from '../../core/days.ts';
import { apiKeyNames } from '../api-keys/api-keys.ts';
import { lastDays } from '../daily-cache.ts';
import { eventsSince, type RecordedEvent } from '../prompts/events.ts';
import { isAboveReserved, readLiveHead } from '../prompts/head.ts';
import type { Table } from '../table.ts';
import { type UsageCount, usageOf } from '../usage/counters.ts';

/** The usage of a prompt over a range of days (UTC, `YYYY-MM-DD`, both included). */
export interface UsageSeries {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly UsageCount[];
  /** Names of these API keys. */
  readonly keys: readonly { readonly keyId: string; readonly name: string }[];
  /** The changes of the prompt in this time, latest first. */
  readonly events: readonly RecordedEvent[];
}

/**
 * How often a prompt was fetched on each of the last `days` days up to `now`, and its changes in that time.
 * Errors: `prompt_not_found`, `unavailable`.
 */
export const usageSeries = async (
  table: Table,
  promptId: string,
  days: number,
  now: Date,
): Promise<UsageSeries> => {
  const head = await readLiveHead(table, promptId);
  const { createdAt } = head;
  const [from = '', to = ''] = [lastDays(days, now)[0], lastDays(1, now)[0]];
  const [all, names, events] = await Promise.all([
    usageOf(table, promptId, days, now, createdAt),
    apiKeyNames(table),
    eventsSince(table, promptId, later(from, createdAt)),
  ]);
  const counts = all.filter(({ version }) => isAboveReserved(head, version));
  const used = [...new Set(counts.map(({ apiKeyId }) => apiKeyId))];
  return { from, to, counts, keys: used.map((keyId) => ({ keyId, name: names.get(keyId) ?? '' })), events };
};

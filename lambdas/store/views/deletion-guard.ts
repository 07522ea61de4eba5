import { LIMITS } from '../../../contract/limits.ts';
import { daysAfter } from '../../core/days.ts';
import { CuevaultError } from '../../core/errors.ts';
import { firstFew } from '../../core/names.ts';
import { apiKeyNames } from '../api-keys/api-keys.ts';
import { includersOf, MOST_INCLUDERS } from '../prompts/fragments.ts';
import type { PromptHead } from '../prompts/head.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import { requireDeletable } from '../prompts/publishing.ts';
import type { Table } from '../table.ts';
import { recentAccesses } from '../usage/access-lists.ts';
import { countersOf } from '../usage/counters.ts';
import { summed } from '../usage/days.ts';

const NAMED_KEYS = 10;
/** Counters lag behind the entries by up to a minute; for this time, the entries are read. */
const UNCOUNTED_MS = 120_000;
/** Maximum number of these entries to read. */
const READ_ENTRIES = 400;

/**
 * Fetches within the last seven days, by API key, most fetches first. If a key has both counters and recent entries,
 * the higher number counts.
 */
export const recentFetches = async (
  table: Table,
  head: PromptHead,
  version: string | undefined,
  now: Date,
): Promise<(readonly [keyId: string, count: number])[]> => {
  const since = daysAfter(now, -LIMITS.inUseDays).toISOString();
  const isOfThis = (fetched: { readonly version: string }) =>
    version === undefined || fetched.version === version;
  const uncounted = new Date(now.getTime() - UNCOUNTED_MS).toISOString();
  const [counted, { entries }] = await Promise.all([
    countersOf(table, head, since, now),
    recentAccesses(table, head, uncounted, now, READ_ENTRIES),
  ]);
  const counters = counted.filter((counter) => counter.lastAt >= since && isOfThis(counter));
  const sums = summed(counters, ({ apiKeyId }) => apiKeyId);
  const byKey = new Map([...sums].map(([apiKeyId, { count }]) => [apiKeyId, count]));
  const read = entries.filter(isOfThis);
  for (const [apiKeyId, own] of Map.groupBy(read, (entry) => entry.apiKeyId)) {
    byKey.set(apiKeyId, Math.max(byKey.get(apiKeyId) ?? 0, own.length));
  }
  return [...byKey].sort((a, b) => b[1] - a[1]);
};

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

const inUse = async (table: Table, what: string, byKey: readonly (readonly [string, number])[]) => {
  const names = await apiKeyNames(table);
  const total = byKey.reduce((sum, [, count]) => sum + count, 0);
  const named = byKey.map(
    ([keyId, count]) => `${times(count)} with the key "${names.get(keyId) ?? 'unknown'}" (${keyId})`,
  );
  return new CuevaultError(
    'in_use',
    `${what} was fetched ${times(total)} within the last ${LIMITS.inUseDays} days: ${firstFew(named, NAMED_KEYS)}. Send confirm=true to delete it anyway.`,
  );
};

const requireNotIncluded = async (table: Table, head: PromptHead, what: string, version?: string) => {
  const found = await includersOf(table, head, version);
  if (found.length === 0) return;
  const others =
    found.length === MOST_INCLUDERS
      ? `${MOST_INCLUDERS - NAMED_KEYS} and more`
      : `${found.length - NAMED_KEYS} more`;
  const more = found.length > NAMED_KEYS ? ` and ${others}` : '';
  throw new CuevaultError(
    'in_use',
    `${what} is included by ${found.slice(0, NAMED_KEYS).join(', ')}${more}. They keep its text, but nobody can publish it with them again. Send confirm=true to delete it anyway.`,
  );
};

/**
 * Rejects the deletion of a prompt, or of a version, that was fetched recently or that others include; the error says
 * by which keys and how often, or where. Reasons that forbid the deletion of a version regardless of use take
 * precedence.
 */
export const requireUnused = async (table: Table, promptId: string, now: Date, version?: string) => {
  const head = await readLiveHead(table, promptId);
  if (version !== undefined) await requireDeletable(table, head, version);
  const byKey = await recentFetches(table, head, version, now);
  const what = version === undefined ? `The prompt "${head.name}"` : `Version ${version} of "${head.name}"`;
  if (byKey.length > 0) throw await inUse(table, what, byKey);
  await requireNotIncluded(table, head, what, version);
};

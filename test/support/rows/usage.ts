import { dayOf, daysAfter } from '../../../lambdas/core/days.ts';
import { keepLastUse, readLastUses } from '../../../lambdas/store/api-keys/uses.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { listAccesses } from '../../../lambdas/store/usage/access-lists.ts';
import type { Access, AccessEntry } from '../../../lambdas/store/usage/accesses.ts';
import { addToCounter, countersOf, type Use, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import { dayKey } from '../../../lambdas/store/usage/days.ts';
import type { Entry } from '../../../lambdas/store/usage/entries.ts';
import { readCounter, writeSecretIds } from '../../../lambdas/store/usage/secret-reads.ts';

// Access entries, and counters of past days as the stream leaves them.

let sequence = 0;

/** An access entry as a fetch leaves it, with these properties. */
export const accessOf = (properties: Pick<Access, 'promptId' | 'at'> & Partial<Access>): Access => ({
  requestId: `request-${++sequence}`,
  version: '1.0.0',
  apiKeyId: 'key',
  apiKeyName: 'app',
  sourceIp: '203.0.113.7',
  userAgent: 'test',
  compiled: true,
  metaProperties: {},
  ...properties,
});

type Counted = Pick<Entry, 'counter' | 'apiKeyId' | 'revision'>;

const entries = (entry: Counted, at: Date, times: number): Entry[] =>
  Array.from({ length: times }, () => ({
    ...entry,
    source: 'test',
    sequence: String(++sequence).padStart(40, '0'),
    at: at.toISOString(),
  }));

/** The time of the last successful call with a key, if there was one. */
export const lastUseOf = async (table: Table, keyId: string): Promise<string | undefined> =>
  (await readLastUses(table)).get(keyId);

/** The latest accesses to a prompt, the latest first. */
export const accessesTo = async (table: Table, promptId: string): Promise<readonly AccessEntry[]> => {
  const [from, to] = [-1, 1].map((days) => dayOf(daysAfter(new Date(), days))) as [string, string];
  return (await listAccesses(table, promptId, { from, to, limit: 100 })).items;
};

/** Adds to a counter, and lets the job compute its day again. */
const count = async (table: Table, entry: Counted, at: Date, times: number) => {
  await addToCounter(table, entry.counter, entries(entry, at, times));
  await keepLastUse(table, entry.apiKeyId, at.toISOString());
  await deleteItem(table, dayKey(dayOf(at)));
};

/** How often a prompt was fetched on the last days up to `now`, by day (latest first), version and API key. */
export const usageOf = async (table: Table, promptId: string, days: number, now: Date) =>
  (await countersOf(table, { promptId, createdAt: '' }, daysAfter(now, 1 - days).toISOString(), now))
    .map(({ promptId: _, ...counted }) => counted)
    .sort((a, b) => (a.day > b.day ? -1 : Number(a.day < b.day)));

/** Adds to the counter of a use at a time. */
export const countUses = (table: Table, use: Use, at: Date, times = 1): Promise<void> =>
  count(table, { counter: usageCounter(dayOf(at), use), apiKeyId: use.apiKeyId }, at, times);

/** Adds one to the counter of a release, with the released secrets and the revision of the vault that was read. */
export const countRead = async (
  table: Table,
  apiKeyId: string,
  secretIds: readonly string[],
  at: Date,
  revision = 1,
): Promise<void> => {
  const digest = secretIds.join();
  const counter = readCounter(dayOf(at), { apiKeyId, digest });
  await count(table, { counter, apiKeyId, revision }, at, 1);
  await writeSecretIds(table, digest, secretIds, at);
};

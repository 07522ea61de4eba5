import { dayOf, daysAfter } from '../../../lambdas/core/days.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { type AccessEntry, listAccesses } from '../../../lambdas/store/usage/access-lists.ts';
import type { Access } from '../../../lambdas/store/usage/accesses.ts';
import { addToCounter, type Use, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import type { Entry } from '../../../lambdas/store/usage/entries.ts';
import { readCounter, writeNames } from '../../../lambdas/store/usage/secret-reads.ts';

// Access entries, and counters of past days as the stream leaves them.

let sequence = 0;

/** An access entry as a fetch leaves it, with these properties. */
export const accessOf = (properties: Pick<Access, 'promptId' | 'at'> & Partial<Access>): Access => ({
  ...{ requestId: `request-${++sequence}`, version: '1.0.0', apiKeyId: 'key', apiKeyName: 'app' },
  ...{ sourceIp: '203.0.113.7', userAgent: 'test', compiled: true, metaProperties: {}, ...properties },
});

const entries = (entry: Pick<Entry, 'counter' | 'apiKeyId'>, at: Date, times: number): Entry[] =>
  Array.from({ length: times }, () => ({
    ...entry,
    source: 'test',
    sequence: String(++sequence).padStart(40, '0'),
    at: at.toISOString(),
  }));

/** The latest accesses to a prompt, the latest first. */
export const accessesTo = async (table: Table, promptId: string): Promise<readonly AccessEntry[]> => {
  const [from, to] = [-1, 1].map((days) => dayOf(daysAfter(new Date(), days))) as [string, string];
  return (await listAccesses(table, promptId, { from, to, limit: 100 })).items;
};

/** Adds to the counter of a use at a time. */
export const countUses = (table: Table, use: Use, at: Date, times = 1): Promise<void> => {
  const counter = usageCounter(dayOf(at), use);
  return addToCounter(table, counter, entries({ counter, apiKeyId: use.apiKeyId }, at, times));
};

/** Adds one to the counter of a release, with the released secrets. */
export const countRead = async (
  table: Table,
  apiKeyId: string,
  secretIds: readonly string[],
  at: Date,
): Promise<void> => {
  const digest = secretIds.join();
  const counter = readCounter(dayOf(at), { apiKeyId, digest });
  await addToCounter(table, counter, entries({ counter, apiKeyId }, at, 1));
  await writeNames(table, digest, secretIds, at);
};

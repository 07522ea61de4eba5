import type { Table } from '../../../lambdas/store/table.ts';
import { addToCounter, type Use, usageCounter } from '../../../lambdas/store/usage/counters.ts';
import type { Entry } from '../../../lambdas/store/usage/entries.ts';
import { readCounter, writeNames } from '../../../lambdas/store/usage/secret-reads.ts';

// Counters of past days, as the stream leaves them.

let sequence = 0;

const entries = (entry: Pick<Entry, 'counter' | 'apiKeyId'>, at: Date, times: number): Entry[] =>
  Array.from({ length: times }, () => ({
    ...entry,
    source: 'test',
    sequence: String(++sequence).padStart(40, '0'),
    at: at.toISOString(),
  }));

/** Adds to the counter of a use at a time. */
export const countUses = (table: Table, use: Use, at: Date, times = 1): Promise<void> => {
  const counter = usageCounter(at.toISOString().slice(0, 10), use);
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
  const counter = readCounter(at.toISOString().slice(0, 10), { apiKeyId, digest });
  await addToCounter(table, counter, entries({ counter, apiKeyId }, at, 1));
  await writeNames(table, digest, secretIds, at);
};

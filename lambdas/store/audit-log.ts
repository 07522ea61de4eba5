import { PARTITIONS } from '../../contract/table.ts';
import { daysAfter, monthOf } from '../core/days.ts';
import { monthAfter } from '../core/lists/day-ranges.ts';
import { readsOf, shardsOf } from './entry-shards.ts';
import { inPartition, queryItems, rowsFrom } from './queries.ts';
import type { Item, Table } from './table.ts';
import type { VaultHead } from './vault/head.ts';

// Reads the audit log; `audit.ts` writes it.

/** Every entry's sort key begins with a time of this form. */
const TIME_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** The partitions with the reads of a month (`YYYY-MM`). */
export const readShardsOf = (table: Table, month: string): Promise<string[]> =>
  shardsOf(table, readsOf(month));

/**
 * The audit entry of the change of a vault at a time that made a revision, whichever it is unless it is named.
 * Undefined without an entry, and if there are several: then all but one are forged, or it is not known which.
 */
export const changeOfRevision = async (
  table: Table,
  { environment, revision, changedAt }: Pick<VaultHead, 'environment' | 'changedAt'> & { revision?: number },
): Promise<Item | undefined> => {
  const pk = PARTITIONS.auditChange + monthOf(new Date(changedAt));
  const items = await Array.fromAsync(rowsFrom(table, pk, `${changedAt}#`));
  const [found, ...others] = items.filter(
    (item) => item.environment === environment && item.revision === (revision ?? Number(item.revision)),
  );
  return others.length === 0 ? found : undefined;
};

/** The partitions that hold the audit entries of a month (`YYYY-MM`). */
export const auditPartitions = async (table: Table, month: string): Promise<string[]> => [
  PARTITIONS.auditChange + month,
  PARTITIONS.auditRefusal + month,
  ...(await readShardsOf(table, month)),
];

/** The changes that are kept, oldest first, in pages of `Limit`. */
export async function* keptChanges(table: Table, now: Date, Limit?: number): AsyncGenerator<Item> {
  const last = monthOf(now);
  for (let at = daysAfter(now, -table.settings.auditDays); monthOf(at) <= last; at = monthAfter(at))
    yield* queryItems(table, { ...inPartition(PARTITIONS.auditChange + monthOf(at)), Limit });
}

/** The time of the oldest change that is kept, or undefined before the first. */
export const oldestChange = async (table: Table, now: Date): Promise<string | undefined> => {
  for await (const { sk } of keptChanges(table, now, 1)) return String(sk).slice(0, TIME_LENGTH);
  return undefined;
};

/** The entries of a partition before a sort key, newest first. */
export const entriesBefore = (table: Table, pk: string, before: string): AsyncGenerator<Item> =>
  queryItems(table, {
    ...inPartition(pk, 'sk < :before', { ':before': before }),
    ScanIndexForward: false,
    Limit: 100,
  });

import { later } from '../../../lambdas/core/days.ts';
import { IntegrityError } from '../../../lambdas/core/errors.ts';
import { monthBefore } from '../../../lambdas/core/lists/day-ranges.ts';
import { inParallel } from '../../../lambdas/core/parallel.ts';
import type { SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import { isSameSeal, type Seal } from '../../../lambdas/core/seal/sealed-object.ts';
import { auditPartitions } from '../../../lambdas/store/audit-log.ts';
import { inPartition, queryItems } from '../../../lambdas/store/queries.ts';
import { entriesBetween } from '../../../lambdas/store/seal/pending.ts';
import { LAST_SEAL, SEAL } from '../../../lambdas/store/seal/seals.ts';
import { verifiedRow } from '../../../lambdas/store/signing/rows.ts';
import { getItem, type Table } from '../../../lambdas/store/table.ts';
import { type Finding, finding, type NumberedObject } from './objects.ts';

/** Rows of a range of time are compared together if there are no more than this. */
const MOST_ROWS = 50_000;

const nameOf = ({ pk, sk }: Pick<SealedEntry, 'pk' | 'sk'>): string => `${pk} / ${sk}`;

/** The rows of the table from a time on and before another (ISO 8601 in UTC), in the order of the log. */
export const rowsBetween = (table: Table, from: string, to: string): Promise<readonly SealedEntry[]> =>
  Array.fromAsync(entriesBetween(table, from, to));

/** What is missing, changed or added in the rows of a range of time, compared with its sealed entries. */
const compareRows = (sealed: readonly SealedEntry[], rows: readonly SealedEntry[], now: Date): Finding[] => {
  const left = new Map(rows.map((row) => [nameOf(row), row]));
  const findings: Finding[] = [];
  for (const entry of sealed) {
    const subject = nameOf(entry);
    const row = left.get(subject);
    left.delete(subject);
    if (row === undefined) {
      if (entry.ttl * 1000 > now.getTime())
        findings.push(finding('missing', subject, `It is gone from the table: ${entry.line}`));
    } else if (row.line !== entry.line) {
      findings.push(finding('changed', subject, `It was sealed as ${entry.line}`));
    }
  }
  for (const subject of left.keys())
    findings.push(finding('unsealed', subject, 'It was added after its time was sealed.'));
  return findings;
};

/** The range of time to verify. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/**
 * Compares the table with sealed ranges of time, which follow each other. Those that touch each other are compared
 * together: each comparison queries every partition of its days.
 */
export const createRowCheck = (table: Table, now: Date) => {
  let open: (Range & { readonly entries: readonly SealedEntry[] }) | undefined;
  /** Compares what has been added and not compared yet. */
  const flush = async (): Promise<Finding[]> => {
    if (open === undefined) return [];
    const { from, to, entries } = open;
    open = undefined;
    return compareRows(entries, await rowsBetween(table, from, to), now);
  };
  return {
    flush,
    add: async ({ from, to }: Range, entries: readonly SealedEntry[]) => {
      const fits =
        open !== undefined &&
        open.to === from &&
        open.from.slice(0, 10) === from.slice(0, 10) &&
        open.entries.length + entries.length <= MOST_ROWS;
      const findings = fits ? [] : await flush();
      open = { from: open?.from ?? from, to, entries: [...(open?.entries ?? []), ...entries] };
      return findings;
    },
  };
};

/** Older entries must be sealed: this is two intervals of the job, and the time that entries wait. */
const OVERDUE_MS = 40 * 60_000;

const SEAL_ROW = nameOf(LAST_SEAL);

/** What the row with the last seal reveals about the end of the log. */
const endFindings = (seal: Seal, chain: readonly NumberedObject[], last: Seal | undefined): Finding[] => {
  const { number: highest, key } = chain.at(-1) ?? { number: 0, key: '' };
  const end = last?.number ?? 0;
  if (seal.number > highest)
    return [finding('missing', `objects ${highest + 1} to ${seal.number}`, 'They are missing.')];
  // A run writes the object first.
  if (seal.number < end - 1)
    return [finding('changed', SEAL_ROW, `It names seal ${seal.number}, but the last one is ${end}.`)];
  return seal.number === end && !isSameSeal(seal, last)
    ? [finding('changed', key, 'It is not the last object that was sealed.')]
    : [];
};

/** The row with the last seal: its seal if the signature is valid, and what it reveals about the end of the log. */
export const checkLastRow = async (
  table: Table,
  { chain, last }: { readonly chain: readonly NumberedObject[]; readonly last: Seal | undefined },
): Promise<{ readonly seal?: Seal; readonly findings: readonly Finding[] }> => {
  const item = await getItem(table, LAST_SEAL);
  if (item === undefined)
    return { findings: chain.length === 0 ? [] : [finding('missing', SEAL_ROW, 'It is missing.')] };
  try {
    const seal = verifiedRow(table, SEAL, LAST_SEAL, item);
    return { seal, findings: endFindings(seal, chain, last) };
  } catch (error) {
    if (!(error instanceof IntegrityError)) throw error;
    return { findings: [finding('changed', SEAL_ROW, 'Its signature does not match.')] };
  }
};

const MONTH_LENGTH = '2026-01'.length;
const monthIn = (time: string): string => time.slice(0, MONTH_LENGTH);

const monthsFrom = ({ from, to }: Range): string[] => {
  const months: string[] = [];
  for (let month = monthIn(to); month >= monthIn(from); month = monthBefore(month)) months.push(month);
  return months;
};

/** The queries for rows that must not be in a partition: all of them, if nothing of its month was sealed. */
const strayQueries = (pk: string, month: string, sealedFrom: string) =>
  month < monthIn(sealedFrom)
    ? [inPartition(pk)]
    : [
        inPartition(pk, 'sk < :edge', { ':edge': month }),
        inPartition(pk, 'sk > :edge', { ':edge': `${month}~` }),
      ];

/**
 * Rows of the audit log that no range of time covers: those in partitions of months before the first seal, and those
 * whose time does not belong to their partition.
 */
export const strayRows = async (table: Table, range: Range, sealedFrom = ''): Promise<Finding[]> => {
  const found = await inParallel(monthsFrom(range), async (month) => {
    const partitions = await auditPartitions(table, month);
    const queries = partitions.flatMap((pk) => strayQueries(pk, month, sealedFrom));
    return (await inParallel(queries, (query) => Array.fromAsync(queryItems(table, query)))).flat();
  });
  const problem = 'It was never sealed, and its time is not covered by the log.';
  return found.flat().map(({ pk, sk }) => finding('unsealed', `${String(pk)} / ${String(sk)}`, problem));
};

/** Rows outside the sealed ranges: before the first seal and after the last one. */
export const rowsOutside = async (
  table: Table,
  range: Range,
  sealed: { readonly from: string | undefined; readonly to: string },
  now: Date,
) => {
  const overdue = new Date(now.getTime() - OVERDUE_MS).toISOString();
  // Earlier months have no sealed entries: `strayRows` finds all their rows.
  const month = `${monthIn(sealed.from ?? '')}-01`;
  const before =
    sealed.from === undefined ? [] : await rowsBetween(table, later(range.from, month), sealed.from);
  const end = later(range.from, sealed.to);
  const after = end < range.to ? await rowsBetween(table, end, range.to) : [];
  const late = after.filter(({ sk }) => sk < overdue);
  const findings = [...before, ...late].map((row) =>
    finding('unsealed', nameOf(row), 'It was never sealed.'),
  );
  return { findings, pending: after.length - late.length };
};

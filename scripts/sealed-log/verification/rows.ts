import type { SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import { entriesBetween } from '../../../lambdas/store/seal/pending.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import type { Finding } from './objects.ts';

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
        findings.push({ kind: 'missing', subject, problem: `It is gone from the table: ${entry.line}` });
    } else if (row.line !== entry.line) {
      findings.push({ kind: 'changed', subject, problem: `It was sealed as ${entry.line}` });
    }
  }
  for (const subject of left.keys())
    findings.push({ kind: 'unsealed', subject, problem: 'It was added after its time was sealed.' });
  return findings;
};

/** Compares the table with sealed ranges of time, which follow each other. */
export interface RowCheck {
  readonly add: (range: Pick<Range, 'from' | 'to'>, entries: readonly SealedEntry[]) => Promise<Finding[]>;
  /** Compares what has been added and not compared yet. */
  readonly flush: () => Promise<Finding[]>;
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly entries: SealedEntry[];
}

/** Ranges that touch each other are compared together: each comparison queries every partition of its days. */
export const createRowCheck = (table: Table, now: Date): RowCheck => {
  let open: Range | undefined;
  const flush = async (): Promise<Finding[]> => {
    if (open === undefined) return [];
    const { from, to, entries } = open;
    open = undefined;
    return compareRows(entries, await rowsBetween(table, from, to), now);
  };
  return {
    flush,
    add: async ({ from, to }, entries) => {
      const fits =
        open !== undefined &&
        open.to === from &&
        open.from.slice(0, 10) === from.slice(0, 10) &&
        open.entries.length + entries.length <= MOST_ROWS;
      const findings = fits ? [] : await flush();
      open =
        open === undefined
          ? { from, to, entries: [...entries] }
          : { ...open, to, entries: [...open.entries, ...entries] };
      return findings;
    },
  };
};

import type { Details, PlannedMove } from './details.ts';
import type { Row, Status } from './plan.ts';

/** What a command has found or done. */
export interface Report {
  /** What the report is about, such as `Published`. */
  readonly title: string;
  readonly rows: readonly Row[];
  readonly details: Details;
  readonly moves: readonly PlannedMove[];
}

const ORDER: readonly Status[] = [
  'create',
  'renamed',
  'publish',
  'drift',
  'conflict',
  'unchanged',
  'unmanaged',
];

/** How many rows have each status, such as `1 publish, 3 unchanged`. */
export const countsOf = (rows: readonly Row[]): string =>
  ORDER.map((status) => [rows.filter((row) => row.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`)
    .join(', ') || 'no prompts';

/** The rows that need attention. */
export const changedIn = (rows: readonly Row[]): Row[] =>
  rows.filter(({ status }) => status !== 'unchanged' && status !== 'unmanaged');

/** From which version to which a row leads. */
export const nowOf = ({ listed }: Row): string => listed?.latest ?? '-';

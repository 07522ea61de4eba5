import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { Format } from './compare.ts';
import type { Details, PlannedMove } from './details.ts';
import { markdown } from './markdown.ts';
import type { Row } from './plan.ts';
import { changedIn, countsOf, type Report } from './report.ts';
import { unifiedDiffs } from './unified.ts';

const lineOf = (row: Row, details: Details): string => {
  const next = details.get(row.name)?.next;
  const versions = [row.listed?.latest, next].filter((version) => version !== undefined).join(' -> ');
  const former = row.from === undefined ? '' : ` (was ${JSON.stringify(row.from)})`;
  const breaking = (details.get(row.name)?.breaking.length ?? 0) > 0 ? ' (breaking)' : '';
  return `${row.status.padEnd(10)}${JSON.stringify(row.name)} ${versions}${breaking}${former}\n`;
};

const moveLine = ({ name, label, from, to }: PlannedMove): string =>
  `label     ${JSON.stringify(name)} ${JSON.stringify(label)} ${from ?? '-'} -> ${to ?? 'the new version'}\n`;

const text = ({ title, rows, details, moves }: Report): string =>
  [
    ...changedIn(rows).map((row) => lineOf(row, details)),
    ...moves.map(moveLine),
    ...[...unifiedDiffs(rows, details)].map(([, diff]) => `\n${diff}`),
    `${title}: ${countsOf(rows)}.\n`,
  ].join('');

const json = ({ rows, details, moves }: Report): string => {
  const prompts = rows.map(({ name, status, file, listed, base, from }) => {
    const { next, breaking } = details.get(name) ?? {};
    const at = { latest: listed?.latest, base: base?.version, next, breaking, from };
    return { name, status, path: file?.path, ...at };
  });
  return `${JSON.stringify({ prompts, labels: moves }, null, 2)}\n`;
};

/** Prints a report in one of the formats. Returns the exit code: `other` if a part of it does not fit. */
export const print = (terminal: Terminal, format: Format, report: Report): number => {
  const { page, omitted } =
    format === 'markdown' ? markdown(report) : { page: { text, json }[format](report), omitted: 0 };
  terminal.out(page);
  if (omitted === 0) return EXIT.done;
  terminal.err(`cuevault: ${omitted} changes do not fit into the report; "cuevault diff" shows them.\n`);
  return EXIT.other;
};

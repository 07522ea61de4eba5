import type { Content } from '../../../../../contract/content/content.ts';
import { canonicalJson } from '../../../../../contract/content/hash.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { variablesIn } from '../../../../../contract/templates.ts';
import type { Detail } from './details.ts';
import type { Row } from './plan.ts';
import { changedIn, countsOf, nowOf, type Report } from './report.ts';
import { unifiedDiffs } from './unified.ts';

// GitHub accepts comments of 65,536 characters.
const MOST_CHARACTERS = 60_000;
const MOST_ROWS = 200;

/** Text as code in a table; nothing in it is markup. */
const code = (text: string): string =>
  `<code>${text.replace(/[^\w /.-]|_/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`;

const variables = ({ before, after }: Detail): string => {
  if (after === undefined) return '';
  const [old, now] = [before ? variablesIn(before) : [], variablesIn(after)];
  const declarationIn = (content: Content | undefined, name: string) =>
    canonicalJson(declared(content?.variables, name) ?? null);
  return [
    ...now.filter((name) => !old.includes(name)).map((name) => `+${name}`),
    ...old.filter((name) => !now.includes(name)).map((name) => `-${name}`),
    ...now
      .filter((name) => old.includes(name) && declarationIn(before, name) !== declarationIn(after, name))
      .map((name) => `~${name}`),
  ]
    .map(code)
    .join(' ');
};

const NOTES: Partial<Record<Row['status'], string>> = {
  drift: 'drift: edited in Cuevault; pull it first',
  conflict: 'conflict: edited in Cuevault and here',
};

const tableRow = (row: Row, detail: Detail | undefined): string => {
  const breaking = (detail?.breaking.length ?? 0) > 0 ? ' **breaking**' : '';
  const what = NOTES[row.status] ?? (row.from === undefined ? row.status : `renamed from ${code(row.from)}`);
  const next = detail?.next ?? (NOTES[row.status] === undefined ? 'new version' : '');
  return `| ${code(row.name)} | ${what} | ${nowOf(row)} | ${next}${breaking} | ${detail ? variables(detail) : ''} |\n`;
};

const table = ({ rows, details }: Report): string => {
  const changed = changedIn(rows);
  if (changed.length === 0) return '';
  const more = changed.length > MOST_ROWS ? `\n${changed.length - MOST_ROWS} more.\n` : '';
  const head = '| prompt | change | now | next | variables |\n| --- | --- | --- | --- | --- |\n';
  const lines = changed.slice(0, MOST_ROWS).map((row) => tableRow(row, details.get(row.name)));
  return `\n${head}${lines.join('')}${more}`;
};

const labels = ({ moves }: Report): string =>
  moves.length === 0
    ? ''
    : `\n| label | prompt | from | to |\n| --- | --- | --- | --- |\n${moves
        .slice(0, MOST_ROWS)
        .map(
          ({ name, label, from, to }) =>
            `| ${code(label)} | ${code(name)} | ${from ?? '-'} | ${to ?? 'new version'} |\n`,
        )
        .join('')}${moves.length > MOST_ROWS ? `\n${moves.length - MOST_ROWS} more.\n` : ''}`;

/** A folded difference, in a fence that is longer than any in it. */
const folded = (name: string, diff: string): string => {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n<details><summary>${code(name)}</summary>\n\n${fence}diff\n${diff}${fence}\n\n</details>\n`;
};

/** A report for a job summary or a comment, within the limits of GitHub, and how much of it does not fit. */
export const markdown = (report: Report): { readonly page: string; readonly omitted: number } => {
  const head = `### ${report.title}\n\n${countsOf(report.rows)}\n${table(report)}${labels(report)}`;
  const parts = [...unifiedDiffs(report.rows, report.details)].map(([name, diff]) => folded(name, diff));
  let left = MOST_CHARACTERS - head.length;
  // The shortest first: a long one cannot take the place of others.
  const shown = new Set(
    [...parts]
      .sort((a, b) => a.length - b.length)
      .filter((part) => {
        left -= part.length;
        return left > 0;
      }),
  );
  const lost = parts.length - shown.size;
  const more = lost === 0 ? '' : `\n${lost} differences are too long to show: run \`cuevault diff\`.\n`;
  const rows = [changedIn(report.rows), report.moves].map(({ length }) => Math.max(0, length - MOST_ROWS));
  const page = `${head}${parts.filter((part) => shown.has(part)).join('')}${more}`;
  return { page, omitted: rows.reduce((sum, count) => sum + count, lost) };
};

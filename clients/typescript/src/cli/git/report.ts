import { createTwoFilesPatch, OMIT_HEADERS } from 'diff';
import type { Content } from '../../../../../contract/content/content.ts';
import { printPromptFile } from '../../../../../contract/content/file/prompt-file.ts';
import { canonicalJson } from '../../../../../contract/content/hash.ts';
import { variablesIn } from '../../../../../contract/content/templates.ts';
import { declared } from '../../../../../contract/content/variables.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { EXIT } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import type { Detail, Details, Format, PlannedMove } from './compare.ts';
import { type Row, STATUSES } from './plan.ts';

/** What a command has found or done. */
export interface Report {
  /** What the report is about, such as `Published`. */
  readonly title: string;
  readonly rows: readonly Row[];
  readonly details: Details;
  readonly moves: readonly PlannedMove[];
}

/** How many rows have each status, such as `1 publish, 3 unchanged`. */
export const countsOf = (rows: readonly Row[]): string =>
  STATUSES.map((status) => [rows.filter((row) => row.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`)
    .join(', ') || 'no prompts';

/** The rows that a push or a pull changes. */
export const changedIn = (rows: readonly Row[]): Row[] =>
  rows.filter(({ status }) => !['unchanged', 'gone', 'unmanaged'].includes(status));

const MOST_GONE = 50;

/** Says which prompts have lost their files; empty if none has. Deleting them is up to an operator. */
const goneIn = (rows: readonly Row[], written: (name: string) => string): string => {
  const names = rows.flatMap(({ name, status }) => (status === 'gone' ? [name] : []));
  if (names.length === 0) return '';
  const subject =
    names.length === 1
      ? '1 prompt that this repository published has'
      : `${names.length} prompts that this repository published have`;
  const more = names.length > MOST_GONE ? ` and ${names.length - MOST_GONE} more` : '';
  return `${subject} no file here: ${names.slice(0, MOST_GONE).map(written).join(', ')}${more}. Whoever needs them no longer can delete them in the admin UI.\n`;
};

/** Beyond as many changed lines, the comparison shows all lines of both sides. */
const MOST_EDITS = 2_000;

const textOf = (content: Content | undefined): string => (content ? printPromptFile({ content }) : '');

const marked = (text: string, mark: string): string => text.replace(/.*\n/g, (line) => mark + line);

/** How a text becomes another, as `diff -u` writes it, without headers. */
const unified = (now: string, next: string): string => {
  if (now === next) return '';
  const options = { context: 3, maxEditLength: MOST_EDITS, headerOptions: OMIT_HEADERS };
  const patch = createTwoFilesPatch('', '', now, next, undefined, undefined, options);
  // Like diff, without the length 1.
  const short = patch?.replace(/^@@.*@@$/gm, (range) => range.replaceAll(',1 ', ' '));
  return short ?? marked(now, '-') + marked(next, '+');
};

/**
 * The differences between the prompts of the service and the files, by name: from what the service has to the file, as a
 * push would publish it. Characters that do not show are escapes.
 */
export const unifiedDiffs = (rows: readonly Row[], details: Details): Map<string, string> => {
  const diffs = rows.flatMap(({ name, file, listed }) => {
    const { before, after } = details.get(name) ?? {};
    const lines = after === undefined ? '' : unified(textOf(before), textOf(after));
    const now = before && listed ? `Cuevault ${name} ${listed.latest}` : '/dev/null';
    const all = `--- ${now}\n+++ ${file?.path ?? name}\n${lines}`;
    return lines === '' ? [] : [[name, visible(all)] as const];
  });
  return new Map(diffs);
};

// GitHub accepts comments of 65,536 characters.
const MOST_CHARACTERS = 60_000;
const MOST_ROWS = 200;

/** Text as code in a table; nothing in it is markup. */
const code = (text: string): string =>
  `<code>${text.replace(/[^\w /.-]|_/gu, (character) => `&#${character.codePointAt(0)};`)}</code>`;

const variables = ({ before, after }: Detail): string => {
  if (after === undefined) return '';
  const old = before ? variablesIn(before) : [];
  const now = variablesIn(after);
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
  const now = row.listed?.latest ?? '-';
  return `| ${code(row.name)} | ${what} | ${now} | ${next}${breaking} | ${detail ? variables(detail) : ''} |\n`;
};

const labelRow = ({ name, label, from, to }: PlannedMove): string =>
  `| ${code(label)} | ${code(name)} | ${from ?? '-'} | ${to ?? 'new version'} |\n`;

const table = <Each>(head: string, all: readonly Each[], rowOf: (each: Each) => string): string => {
  if (all.length === 0) return '';
  const more = all.length > MOST_ROWS ? `\n${all.length - MOST_ROWS} more.\n` : '';
  const line = head.replace(/[a-z]+/g, '---');
  return `\n${head}\n${line}\n${all.slice(0, MOST_ROWS).map(rowOf).join('')}${more}`;
};

/** A folded difference, in a fence that is longer than any in it. */
const folded = (name: string, diff: string): string => {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n<details><summary>${code(name)}</summary>\n\n${fence}diff\n${diff}${fence}\n\n</details>\n`;
};

/** A report for a job summary or a comment, within the limits of GitHub, and how much of it does not fit. */
export const markdown = (report: Report): { readonly page: string; readonly omitted: number } => {
  const { title, rows, details, moves } = report;
  const changed = changedIn(rows);
  const head = [
    `### ${title}\n\n${countsOf(rows)}\n`,
    goneIn(rows, code).replace(/^(?=.)/, '\n'),
    table('| prompt | change | now | next | variables |', changed, (row) =>
      tableRow(row, details.get(row.name)),
    ),
    table('| label | prompt | from | to |', moves, labelRow),
  ].join('');
  const parts = [...unifiedDiffs(rows, details)].map(([name, diff]) => folded(name, diff));
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
  const cut = [changed, moves].map(({ length }) => Math.max(0, length - MOST_ROWS));
  const page = `${head}${parts.filter((part) => shown.has(part)).join('')}${more}`;
  return { page, omitted: cut.reduce((sum, count) => sum + count, lost) };
};

const lineOf = (row: Row, details: Details): string => {
  const next = details.get(row.name)?.next;
  const versions = [row.listed?.latest, next].filter((version) => version !== undefined).join(' -> ');
  const former = row.from === undefined ? '' : ` (was ${JSON.stringify(row.from)})`;
  const breaking = (details.get(row.name)?.breaking.length ?? 0) > 0 ? ' (breaking)' : '';
  return `${row.status.padEnd(10)}${JSON.stringify(row.name)} ${versions}${breaking}${former}\n`;
};

/** The line about the move of a label. */
export const moveLine = ({ name, label, from, to }: PlannedMove): string =>
  `label     ${JSON.stringify(name)} ${JSON.stringify(label)} ${from ?? '-'} -> ${to ?? 'the new version'}`;

const text = ({ title, rows, details, moves }: Report): string =>
  [
    ...changedIn(rows).map((row) => lineOf(row, details)),
    ...moves.map((move) => `${moveLine(move)}\n`),
    ...[...unifiedDiffs(rows, details)].map(([, diff]) => `\n${diff}`),
    goneIn(rows, JSON.stringify),
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

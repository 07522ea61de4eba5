import { readFileSync } from 'node:fs';
import { InvalidRequestError, PermissionDeniedError } from '../../errors.ts';
import { byVersion, isObject, type JsonObject, quoted } from '../../wire.ts';
import { CliError, cliMessage, EXIT, oneLine, wrongUsage } from '../exit-codes.ts';
import { moveLine } from '../git/report.ts';
import { connect, type LabelMove, type ListedPrompt, type Service } from '../git/service.ts';
import { eachOf, progressOf } from '../git/work.ts';
import type { Call, Values } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { type ForeignPrompt, type ForeignVersion, foreignPrompt, Unfit } from './foreign.ts';
import { langfusePrompts } from './langfuse.ts';

const FIELDS = ['name', 'version', 'status', 'prompt', 'tags', 'metaProperties'];

const ESCAPES: { readonly [letter: string]: string } = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
};

/**
 * A text as its author wrote it. OpenLIT escapes a new version for SQL, but then inserts it without SQL, so that the
 * escapes stay in it; an edited draft has none. Only a text that the escaping can have made is unescaped.
 */
export const unescaped = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: characters that the escaping replaces
  /^(?:[^\0\b\t\n\r\u001a"'\\]|\\[0btnrZ"'\\])*$/.test(text)
    ? text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
    : text;

const parsed = (text: unknown): unknown => {
  for (const json of [String(text), unescaped(String(text))]) {
    try {
      return JSON.parse(json);
    } catch {}
  }
  return undefined;
};

const versionOf = ({
  version,
  prompt,
  tags: tagText,
  metaProperties: metaText,
}: JsonObject): ForeignVersion => {
  if (!/^\d+\.\d+\.\d+$/.test(String(version))) {
    throw new Unfit(`its version ${JSON.stringify(version)} is not MAJOR.MINOR.PATCH`);
  }
  const tags = parsed(tagText);
  const metaProperties = parsed(metaText);
  if (!Array.isArray(tags) || !isObject(metaProperties)) {
    throw new Unfit(`version ${version}: its tags or metaProperties are not JSON`);
  }
  const content = { prompt: unescaped(String(prompt)), tags: tags.map(String), metaProperties };
  return { version: String(version), content };
};

const rowsOf = (file: string): JsonObject[] => {
  try {
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
    return lines.map((line, index) => {
      const row: unknown = JSON.parse(line);
      if (isObject(row) && FIELDS.every((field) => typeof row[field] === 'string')) return row;
      throw wrongUsage(`Line ${index + 1} of ${file} lacks one of ${FIELDS.join(', ')}.`);
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUsage(
      `${file} is not a file with one JSON object in each line${code === undefined ? '' : ` (${code})`}.`,
    );
  }
};

/**
 * The prompts in an export of OpenLIT's database: one JSON object in each line, with the fields of `FIELDS`. Drafts are
 * left out. Errors: CliError `usage`.
 */
export const openlitPrompts = (file: string): Promise<ForeignPrompt[]> => {
  const published = rowsOf(file).filter(({ status }) => status !== 'DRAFT');
  const names = [...new Set(published.map(({ name }) => String(name)))].sort();
  return Promise.all(
    names.map((name) =>
      foreignPrompt(
        unescaped(name),
        published.filter((row) => row.name === name),
        versionOf,
      ),
    ),
  );
};

/** What is to be done for a prompt. */
interface Row {
  readonly name: string;
  /** The latest version of the service. */
  readonly latest: string | null;
  readonly absent: readonly ForeignVersion[];
  readonly moves: readonly LabelMove[];
  /** Moves of labels that point elsewhere in the service. */
  readonly kept: readonly LabelMove[];
  readonly problem?: string | undefined;
}

const publicationOf = (name: string, { version, content, note }: ForeignVersion, base: string | null) => ({
  name,
  version,
  content,
  base,
  allowBreaking: true,
  ...(note === undefined ? {} : { note }),
});

/** What a call refuses about one prompt; the others go on. */
const problemOf = (subject: string, error: unknown): string => {
  if (!(error instanceof InvalidRequestError || error instanceof PermissionDeniedError)) throw error;
  return `${subject}: ${cliMessage(error)}`;
};

const movesOf = ({ name, versions }: ForeignPrompt, listed: ListedPrompt | undefined): LabelMove[] =>
  versions.flatMap(({ version, labels = [] }) =>
    labels.flatMap((label) => {
      const from = listed?.labels.find((each) => each.label === label)?.version ?? null;
      return from === version ? [] : [{ name, label, from, to: version }];
    }),
  );

/** The problems of a row as one, undefined if there are none. */
const together = (problems: readonly (string | undefined)[]): string | undefined =>
  problems.filter((problem) => problem !== undefined).join(' ') || undefined;

/** Compares a prompt with the service, which also says whether it can be published; only `movable` labels can be moved. */
const rowOf = async (
  service: Service,
  prompt: ForeignPrompt,
  listed: ListedPrompt | undefined,
  movable: readonly unknown[],
  values: Values,
): Promise<Row> => {
  const { name, versions } = prompt;
  const latest = listed?.latest ?? null;
  const skipped = (problem: string): Row => ({ name, latest, absent: [], moves: [], kept: [], problem });
  if (prompt.problem !== undefined) return skipped(prompt.problem);
  const absent: ForeignVersion[] = [];
  for (const each of versions) {
    try {
      const { created } = await service.publish({ ...publicationOf(name, each, latest), dryRun: true });
      if (created) absent.push(each);
    } catch (error) {
      return skipped(problemOf(`version ${each.version}`, error));
    }
  }
  const wanted = movesOf(prompt, listed);
  const all = wanted.filter(({ label }) => movable.includes(label));
  const others = wanted.filter((move) => !all.includes(move)).map(({ label }) => label);
  const problem =
    others.length === 0 ? undefined : `labels: This API key may not move the label ${quoted(others)}.`;
  const isKept = ({ from }: LabelMove) => from !== null && values['move-labels'] !== true;
  const moves = all.filter((move) => !isKept(move));
  return { name, latest, absent, moves, kept: all.filter(isKept), problem };
};

/** Publishes the absent versions in ascending order. Returns the row, with the problem if there was one. */
const written = async (service: Service, row: Row): Promise<Row> => {
  let base = row.latest;
  for (const [index, each] of row.absent.entries()) {
    try {
      await service.publish(publicationOf(row.name, each, base));
      if (base === null || byVersion(each.version, base) > 0) base = each.version;
    } catch (error) {
      const problem = together([problemOf(`version ${each.version}`, error), row.problem]);
      return { ...row, absent: row.absent.slice(0, index), moves: [], problem };
    }
  }
  return row;
};

/** Moves the labels of a prompt, each by itself: what is refused about one, such as its protection, concerns no other. */
const labelled = async (service: Service, row: Row): Promise<Row> => {
  const moves: LabelMove[] = [];
  const problems = [row.problem];
  for (const move of row.moves) {
    try {
      await service.moveLabels([move]);
      moves.push(move);
    } catch (error) {
      problems.push(problemOf(`label ${JSON.stringify(move.label)}`, error));
    }
  }
  return { ...row, moves, problem: together(problems) };
};

const linesOf = ({ name, latest, absent, moves, kept, problem }: Row): string[] => {
  const versions = absent.map(({ version }) => version).join(', ');
  const lines = [
    ...moves.map(moveLine),
    ...kept.map((move) => `${moveLine(move)}: left where it is; --move-labels moves it`),
  ];
  if (versions !== '')
    lines.unshift(`${latest === null ? 'create    ' : 'versions  '}${JSON.stringify(name)} ${versions}`);
  if (problem !== undefined) lines.push(`skipped   ${JSON.stringify(name)} ${oneLine(problem)}`);
  return lines;
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const report = (rows: readonly Row[], isWritten: boolean): string => {
  const versions = rows.reduce((sum, { absent }) => sum + absent.length, 0);
  const moves = rows.flatMap((row) => row.moves);
  const prompts = rows.filter(({ absent }) => absent.length > 0).length;
  const skipped = rows.filter(({ problem }) => problem !== undefined).length;
  const unchanged =
    rows.length - skipped - rows.filter((row) => row.problem === undefined && linesOf(row).length > 0).length;
  const done = `${counted(versions, 'version')} of ${counted(prompts, 'prompt')}, ${counted(moves.length, 'label')}; ${unchanged} unchanged, ${skipped} skipped.`;
  const labels = [...new Set(moves.map(({ label }) => JSON.stringify(label)))].sort().join(', ');
  const lines = [...rows.flatMap(linesOf), isWritten ? `Written: ${done}` : `Dry run: ${done}`];
  if (!isWritten && labels !== '') lines.push(`The API key must be allowed to move these labels: ${labels}.`);
  if (!isWritten && versions + moves.length > 0)
    lines.push('Nothing was written. Add --write to write this.');
  return `${lines.join('\n')}\n`;
};

const planned = async (
  service: Service,
  prompts: readonly ForeignPrompt[],
  values: Values,
  terminal: Terminal,
): Promise<Row[]> => {
  const listed = new Map((await service.list()).map((each) => [each.name, each]));
  const movable = await service.labels();
  const tick = progressOf(terminal, 'compared', prompts.length);
  return eachOf(prompts, async (prompt) => {
    const row = await rowOf(service, prompt, listed.get(prompt.name), movable, values);
    tick();
    return row;
  });
};

const writeAll = async (service: Service, rows: readonly Row[], terminal: Terminal): Promise<Row[]> => {
  const tick = progressOf(terminal, 'written', rows.length);
  try {
    const done = await eachOf(rows, async (row) => {
      const result = await written(service, row);
      tick();
      return result;
    });
    const results: Row[] = [];
    // One after another: all of them lock the list of protected labels.
    for (const row of done) results.push(await labelled(service, row));
    return results;
  } catch (error) {
    terminal.err('cuevault: The import is not complete. Running the same command again continues.\n');
    throw error;
  }
};

const read = ([system, ...operands]: readonly string[], { from }: Values, terminal: Terminal) => {
  const [file] = operands;
  if (system === 'langfuse' && from !== undefined && operands.length === 0)
    return langfusePrompts(from, terminal);
  if (system === 'openlit' && file !== undefined && operands.length === 1) return openlitPrompts(file);
  throw wrongUsage(
    'Usage: cuevault import langfuse --from URL, or cuevault import openlit FILE; see "cuevault import --help".',
  );
};

/** `cuevault import`: takes over the prompts of another system. Returns the exit code. */
export const importPrompts = async ({ operands, values, terminal }: Call): Promise<number> => {
  const prompts = await read(operands, values, terminal);
  const service = connect();
  const plan = await planned(service, prompts, values, terminal);
  const isWritten = values.write === true;
  const rows = isWritten ? await writeAll(service, plan, terminal) : plan;
  terminal.out(report(rows, isWritten));
  return rows.every(({ problem, kept }) => problem === undefined && kept.length === 0)
    ? EXIT.done
    : EXIT.other;
};

import type { Content } from '../../../../../contract/content/content.ts';
import { filePathOf } from '../../../../../contract/content/file/prompt-file.ts';
import { InvalidRequestError, NotFoundError } from '../../errors.ts';
import { CliError, cliMessage, exitCodeOf, throwAll, wrongUsage } from '../exit-codes.ts';
import { oneOf, type Values } from '../options.ts';
import { type BadFile, hiddenIn, placeOf, readFolder } from './folder.ts';
import {
  absentFragment,
  isBehind,
  isDrift,
  isPublished,
  pinned,
  planOf,
  type Row,
  upcoming,
} from './plan.ts';
import { filesIn, nameOfRepository, openRepository, type Repository } from './repository.ts';
import { connect, type LabelMove, type Published } from './service.ts';
import { eachOf } from './work.ts';

const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** The rows, with those that the repository published from a file of this folder which is no longer there. */
const withGone = (rows: readonly Row[], repository: string, opened: Repository): Row[] => {
  const published = rows.flatMap((row) => {
    const source = row.listed?.sources.find((each) => each.repository === repository);
    const path = filePathOf(row.name);
    const isOpen = row.status === 'unmanaged' && source !== undefined && path !== undefined;
    return isOpen ? [{ row, commit: source.commit, path }] : [];
  });
  const were = filesIn(opened, published);
  const gone = new Set(published.flatMap(({ row }, index) => (were[index] ? [row] : [])));
  return rows.map((row) => (gone.has(row) ? { ...row, status: 'gone' } : row));
};

/** Compares a folder with the service that the environment names. Errors: CliError `usage`; those of the client. */
export const compare = async (folder: string, values: Values) => {
  const format = oneOf('format', values.format ?? 'text', FORMATS);
  const folderNow = readFolder(folder);
  const opened = openRepository(folder);
  const repository = nameOfRepository(opened, values.repository);
  const service = connect();
  const inService = new Map((await service.list()).map((each) => [each.name, each]));
  const names = new Set([...folderNow.files, ...folderNow.bad].map(({ name }) => name));
  const open = folderNow.files.flatMap((file): BadFile[] => {
    const absent = absentFragment(file, names);
    if (absent === undefined) return [];
    const sentence = `It includes ${JSON.stringify(absent)} without a version, but the folder has no such prompt.`;
    return [{ name: file.name, error: wrongUsage(`${placeOf(file, absent)}: ${sentence}`) }];
  });
  const files = folderNow.files.filter(({ name }) => !open.some((each) => each.name === name));
  const planned = await planOf(files, inService, repository, values.overwrite);
  const rows = withGone(planned, repository, opened);
  /** Files that are no prompts, or that the folder is not enough for; their prompts have no row. */
  const bad = [...folderNow.bad, ...open];
  return { folder, format, repository, opened, service, inService, rows, bad };
};

/** A folder compared with the service. */
export type Comparison = Awaited<ReturnType<typeof compare>>;

/** What is known about a row that is not unchanged. */
export interface Detail {
  /** The version that a push publishes; undefined if it depends on a fragment that is published before. */
  readonly next?: string | undefined;
  readonly breaking: Published['breaking'];
  /** The latest content in the service, and that of the file; absent if they were not asked for. */
  readonly before?: Content | undefined;
  readonly after?: Content | undefined;
}

export type Details = ReadonlyMap<string, Detail>;

/** A label that a push moves; `to` is undefined if the version is not known yet. */
export type PlannedMove = Omit<LabelMove, 'to'> & { readonly to: string | undefined };

/**
 * Asks the service what a push would publish, and for the contents that differ. Errors: CliErrors about all files that
 * cannot be published; those of the client.
 */
export const detailsOf = async (
  { rows, service, inService, bad }: Comparison,
  overwrite: boolean | undefined,
): Promise<Details> => {
  const errors = bad.map(({ error }) => error);
  const changed = rows.filter((row) => isDrift(row) || isPublished(row, overwrite) || isBehind(row));
  const existing = changed.flatMap((row) => (row.listed && !isBehind(row) ? [row.listed.name] : []));
  const latest = await service.latest(existing);
  const versions = new Map(
    rows.flatMap((row) => (row.status === 'unchanged' && row.listed ? [[row.name, row.listed.latest]] : [])),
  );
  const details = new Map<string, Detail>();
  const isGiven = ({ name, version }: { name: string; version: string }) =>
    details.get(name)?.next === version;
  const detailed = async (row: Row): Promise<readonly [string, Detail]> => {
    const { name, file, listed } = row;
    const before = latest.get(name)?.content;
    const content = file && pinned(file.content, (fragment) => versions.get(fragment));
    const after = isBehind(row) ? undefined : (content ?? file?.content);
    const detail = { breaking: [], before, after };
    if (file === undefined || content === undefined) return [name, detail];
    if (!isPublished(row, overwrite) && !isBehind(row)) return [name, detail];
    const hidden = isBehind(row) ? [] : hiddenIn(file);
    errors.push(...hidden);
    const given = upcoming(file, inService);
    if (hidden.length > 0 || (given.length > 0 && given.every(isGiven))) return [name, detail];
    const base = listed?.latest ?? null;
    try {
      const { version, breaking } = await service.publish({ name, content, base, dryRun: true });
      return [name, isBehind(row) ? detail : { ...detail, next: version, breaking }];
    } catch (error) {
      if (!(error instanceof InvalidRequestError || error instanceof NotFoundError)) throw error;
      const message = cliMessage(error);
      const include = file.content.includes?.find((each) => message.includes(`"${each}`));
      errors.push(new CliError(`${placeOf(file, include)}: ${message}`, exitCodeOf(error)));
      return [name, detail];
    }
  };
  const isLater = ({ file }: Row) => file !== undefined && upcoming(file, inService).length > 0;
  // A fragment before what includes the version that this push gives it.
  for (const later of [false, true]) {
    const found = await eachOf(
      changed.filter((row) => isLater(row) === later),
      detailed,
    );
    for (const [name, detail] of found) details.set(name, detail);
  }
  throwAll(errors.sort((a, b) => (a.message < b.message ? -1 : 1)));
  return details;
};

/** The moves that bring labels to the versions of the files. */
export const movesOf = (
  rows: readonly Row[],
  details: Details,
  { label: labels = [], overwrite }: Pick<Values, 'label' | 'overwrite'>,
): PlannedMove[] =>
  rows.flatMap((row) => {
    const isUnchanged = row.status === 'unchanged';
    if (!isUnchanged && !isPublished(row, overwrite)) return [];
    const to = isUnchanged ? row.listed?.latest : details.get(row.name)?.next;
    return labels.flatMap((label): PlannedMove[] => {
      const from = row.listed?.labels.find((each) => each.label === label)?.version ?? null;
      return from === to ? [] : [{ name: row.name, label, from, to }];
    });
  });

import type { Content } from '../../../../../contract/content/content.ts';
import { CliError, cliMessage, exitCodeOf } from '../exit-codes.ts';
import { oneOf, type Values } from '../options.ts';
import { placeOf, readFolder } from './folder.ts';
import { isDrift, isPublished, pinned, planOf, type Row } from './plan.ts';
import { nameOfRepository, openRepository, type Repository } from './repository.ts';
import { connect, type LabelMove, type Published, type Service } from './service.ts';
import { eachOf } from './work.ts';

const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** A folder compared with the service. */
export interface Comparison {
  readonly folder: string;
  readonly format: Format;
  readonly repository: string;
  readonly opened: Repository;
  readonly service: Service;
  readonly rows: readonly Row[];
}

/** Compares a folder with the service that the environment names. Errors: CliError `usage`; those of the client. */
export const compare = async (folder: string, values: Values): Promise<Comparison> => {
  const format = oneOf('format', values.format ?? 'text', FORMATS);
  const files = readFolder(folder);
  const opened = openRepository(folder);
  const repository = nameOfRepository(opened, values.repository);
  const service = connect();
  const listed = await service.list();
  const rows = await planOf({ files, listed, repository, overwrite: values.overwrite });
  return { folder, format, repository, opened, service, rows };
};

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

/** Asks the service what a push would publish, and for the contents that differ. Errors: those of the client. */
export const detailsOf = async (
  { rows, service }: Comparison,
  overwrite: boolean | undefined,
): Promise<Details> => {
  const changed = rows.filter((row) => isDrift(row) || isPublished(row, overwrite));
  const existing = changed.flatMap(({ listed }) => (listed === undefined ? [] : [listed.name]));
  const latest = await service.latest(existing);
  const versions = new Map(
    rows.flatMap((row) => (row.status === 'unchanged' && row.listed ? [[row.name, row.listed.latest]] : [])),
  );
  const details = await eachOf(changed, async (row): Promise<readonly [string, Detail]> => {
    const { name, file, listed } = row;
    const before = latest.get(name)?.content;
    const content = file && pinned(file.content, (fragment) => versions.get(fragment));
    const detail = { breaking: [], before, after: content ?? file?.content };
    if (file === undefined || content === undefined || !isPublished(row, overwrite)) return [name, detail];
    const base = listed?.latest ?? null;
    try {
      const { version, breaking } = await service.publish({ name, content, base, dryRun: true });
      return [name, { ...detail, next: version, breaking }];
    } catch (error) {
      const message = cliMessage(error);
      const include = file.content.includes?.find((each) => message.includes(`"${each}`));
      throw new CliError(`${placeOf(file, include)}: ${message}`, exitCodeOf(error));
    }
  });
  return new Map(details);
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

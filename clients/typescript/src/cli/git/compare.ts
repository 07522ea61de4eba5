import { CliError, EXIT } from '../exit-codes.ts';
import { readFolder } from './folder.ts';
import { planOf, type Row } from './plan.ts';
import { nameOfRepository, openRepository, type Repository } from './repository.ts';
import { connect, type Service } from './service.ts';

const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

/** The options of the three commands. */
export interface GitValues {
  readonly all?: boolean | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly 'exit-code'?: boolean | undefined;
  readonly format?: string | undefined;
  readonly 'ignore-history'?: boolean | undefined;
  readonly label?: readonly string[] | undefined;
  readonly overwrite?: boolean | undefined;
  readonly repository?: string | undefined;
}

/** A folder compared with the service. */
export interface Comparison {
  readonly folder: string;
  readonly format: Format;
  readonly repository: string;
  readonly opened: Repository;
  readonly service: Service;
  readonly rows: readonly Row[];
}

const formatOf = (given = 'text'): Format => {
  const format = FORMATS.find((each) => each === given);
  if (format === undefined) throw new CliError(`--format must be ${FORMATS.join(', ')}.`, EXIT.usage);
  return format;
};

/** Compares a folder with the service that the environment names. Errors: CliError `usage`; those of the client. */
export const compare = async (folder: string, values: GitValues): Promise<Comparison> => {
  const format = formatOf(values.format);
  const files = readFolder(folder);
  const opened = openRepository(folder);
  const repository = nameOfRepository(opened, values.repository);
  const service = connect();
  const listed = await service.list();
  const rows = await planOf({ files, listed, repository, overwrite: values.overwrite });
  return { folder, format, repository, opened, service, rows };
};

import { createReadStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LIMITS } from '../../contract/limits.ts';
import {
  type BackupPage,
  type BackupRecord,
  type Installation,
  installationShape,
  pageShape,
} from '../../contract/shapes/backup.ts';
import { digestOf, recordIn, textOf } from '../../lambdas/core/backup/backup-pages.ts';
import { CommandError } from '../aws/stack.ts';
import { counted } from '../counted.ts';

const sentenceFor = (file: string, { code, message }: NodeJS.ErrnoException): string => {
  const folder = path.dirname(path.resolve(file));
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no ${existsSync(folder) ? `file ${file}` : `folder ${folder}`}. Check the path.`;
  if (code === 'EISDIR') return `${file} is a folder. Name a file.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `You do not have permission to open ${file}. Change its permissions or those of its folder, or name another file.`;
  return `${file} cannot be used: ${message}.`;
};

/** The error for a file that cannot be read or written: a sentence that says what is wrong with its path. */
const fileError = (file: string, error: unknown): CommandError =>
  new CommandError(sentenceFor(file, error as NodeJS.ErrnoException));

/** The result of synchronous work on a file. Errors: `CommandError` about its path, whatever the work throws. */
export const onFile = <Result>(file: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw fileError(file, error);
  }
};

/** Reads a file that `npm run --silent vault-key` wrote. Errors: `CommandError`. */
export const readInstallation = (file: string): Installation => {
  try {
    return installationShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new CommandError(
      `${file} cannot be read, or is not what "npm run --silent vault-key" prints in the other installation.`,
    );
  }
};

/** A page of a backup file whose digest and checksums are right. */
export interface FilePage {
  readonly page: BackupPage;
  /** Its records as in the file. */
  readonly text: string;
  readonly records: readonly BackupRecord[];
  /** Position in the file after this page, in bytes. */
  readonly end: number;
}

const RECORD = '{"type":"';
const PAGE = `${RECORD}page",`;
const CHECKSUM = ',"sha256":"';

const damaged = (file: string, line: number, what: string) =>
  new CommandError(`${file}, line ${line}: ${what} The file is damaged; restore it from a copy.`);

const notBackup = (file: string) =>
  new CommandError(
    `${file} is not a backup of Cuevault. Make one with "npm run backup -- FILE", where FILE is a new file.`,
  );

// Splits at line feeds only: a text in a record may contain other separators of lines. The parts of a line are joined
// once: joining at each part would take quadratic time.
async function* linesOf(file: string): AsyncGenerator<string> {
  let number = 1;
  let parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
    if (length > LIMITS.backupLineCharacters)
      throw damaged(file, number, 'No line of a backup is this long.');
  };
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
      const text = String(chunk);
      // Before it is read to its end.
      if (isFirst && !RECORD.startsWith(text.slice(0, RECORD.length))) throw notBackup(file);
      isFirst = false;
      const [first = '', ...others] = text.split('\n');
      add(first);
      for (const part of others) {
        yield parts.join('');
        number += 1;
        parts = [];
        length = 0;
        add(part);
      }
    }
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(file, error);
  }
}

const pageIn = (file: string, number: number, line: string): BackupPage => {
  try {
    return pageShape.parse(JSON.parse(line));
  } catch {
    throw damaged(file, number, 'This is not the end of a page as this version of Cuevault writes it.');
  }
};

const recordOf = (file: string, number: number, line: string): BackupRecord => {
  try {
    return recordIn(line);
  } catch {
    throw damaged(file, number, 'The checksum of this record does not match.');
  }
};

/**
 * The complete pages of a backup file, in order. Verifies the checksum of each record, the digest of each page, and that
 * the pages follow each other. A page that is cut off at the end of the file is left out, except the first.
 * Errors: `CommandError` that names the line, or says that the file is not a backup or cannot be read.
 */
export async function* pagesOf(file: string): AsyncGenerator<FilePage> {
  let number = 0;
  let end = 0;
  let lines: string[] = [];
  let last: BackupPage | undefined;
  for await (const line of linesOf(file)) {
    number += 1;
    if (number === 1 && !line.includes(CHECKSUM)) throw notBackup(file);
    if (!line.startsWith(PAGE)) {
      lines.push(line);
      continue;
    }
    const page = pageIn(file, number, line);
    const first = number - lines.length;
    const records = lines.map((each, index) => recordOf(file, first + index, each));
    const text = textOf(lines);
    const follows =
      page.number === (last?.number ?? 0) + 1 &&
      page.previous === (last?.digest ?? '') &&
      (last === undefined || (last.next !== undefined && last.backupId === page.backupId));
    if (!follows || page.records !== lines.length || digestOf(page.previous, text) !== page.digest)
      throw damaged(file, number, 'The records above are not those of this page, or a page is missing.');
    end += Buffer.byteLength(text) + Buffer.byteLength(line) + 1;
    yield { page, text, records, end };
    last = page;
    lines = [];
  }
  if (last === undefined)
    throw new CommandError(
      `${file} is incomplete: it ends within its first page. Delete it and make the backup again.`,
    );
}

const COUNTED: readonly (readonly [type: BackupRecord['type'], one: string, many?: string])[] = [
  ['api-key', 'API key'],
  ['prompt', 'prompt'],
  ['secret', 'secret'],
  ['protected-labels', 'list of protected labels', 'lists of protected labels'],
];

/** Counts records, and remembers the rows that did not verify. */
export const createTally = () => {
  const counts = new Map<string, number>();
  const refused: string[] = [];
  return {
    /** Rows that did not verify and are missing from the backup. */
    refused: refused as readonly string[],
    /** Number of API keys. */
    get apiKeys() {
      return counts.get('api-key') ?? 0;
    },
    add: (records: readonly BackupRecord[]): void => {
      for (const record of records) {
        counts.set(record.type, (counts.get(record.type) ?? 0) + 1);
        if (record.type === 'refused') refused.push(`${record.pk} / ${record.sk}`);
      }
    },
    /** Such as `3 API keys, 20 prompts, 5 secrets, 1 list of protected labels`. */
    text: () => COUNTED.map(([type, one, many]) => counted(counts.get(type) ?? 0, one, many)).join(', '),
  };
};

export type Tally = ReturnType<typeof createTally>;

/** The rows that are missing from a backup, as an error message. */
export const refusedText = ({ refused }: Tally): string =>
  `Rows that do not verify in the installation: ${refused.length}. They are missing from the backup, with the prompts and API keys that they belong to:\n${refused.map((row) => `  ${row}`).join('\n')}\nSee "A row is refused" in docs/operations.md.`;

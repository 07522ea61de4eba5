import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { type BackupPage, type BackupRecord, pageShape } from '../../contract/backup.ts';
import { LIMITS } from '../../contract/limits.ts';
import { digestOf, recordIn, textOf } from '../../lambdas/core/backup/pages.ts';
import { CommandError } from '../aws/stack.ts';
import { onFile } from './paths.ts';

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

// Before it is read to its end, or read at all if it is a folder.
const requireBegin = (file: string): void => {
  const bytes = Buffer.alloc(RECORD.length);
  const begin = onFile(file, () => {
    const input = openSync(file, 'r');
    try {
      return bytes.toString('latin1', 0, readSync(input, bytes));
    } finally {
      closeSync(input);
    }
  });
  if (!RECORD.startsWith(begin)) throw notBackup(file);
};

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
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) {
    const [first = '', ...others] = String(chunk).split('\n');
    add(first);
    for (const part of others) {
      yield parts.join('');
      number += 1;
      parts = [];
      length = 0;
      add(part);
    }
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
  requireBegin(file);
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

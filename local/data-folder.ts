import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FORMATS } from '../lambdas/store/format.ts';
import { lockFile } from './file-lock.ts';
import { StartError } from './start-error.ts';

export interface DataFolder {
  readonly path: string;
  readonly release: () => void;
}

const LOCK = 'lock';
const HOLDER = 'lock.pid';
const FORMAT_FILE = 'format';
/** Files by which a folder of an earlier version, which had no format file, is recognized. */
const UNVERSIONED = 'table.sqlite';

const holder = (path: string): string => {
  try {
    return `process ${readFileSync(join(path, HOLDER), 'utf8')}`;
  } catch {
    return 'another process';
  }
};

const makeAndLock = (path: string): (() => void) | undefined => {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return lockFile(join(path, LOCK), 0);
  } catch (error) {
    throw new StartError(
      `The data folder ${path} cannot be used: ${(error as Error).message}. Set CUEVAULT_DATA to a folder that you can write to.`,
    );
  }
};

// The file has the newest format that the folder can contain; a row of the table has the oldest.
const requireFormat = (path: string): void => {
  const file = join(path, FORMAT_FILE);
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const isNew = text === '' && !existsSync(join(path, UNVERSIONED));
  const found = isNew ? FORMATS.written : Number(text);
  if (!(found >= FORMATS.oldest && found <= FORMATS.newest))
    throw new StartError(
      `The data folder ${path} was written by another version of Cuevault (format ${text === '' ? 'unknown' : text}, not ${FORMATS.oldest} to ${FORMATS.newest}) and was not changed: ${found < FORMATS.oldest ? 'start an earlier version first, until it has migrated the folder, or ' : ''}set CUEVAULT_DATA to another folder.`,
    );
  const newest = Math.max(found, FORMATS.written);
  if (isNew || newest > found) writeFileSync(file, `${newest}\n`, { mode: 0o600 });
};

/**
 * Opens the data folder for this process only. Creates it, readable by its owner only, if it does not exist.
 * Errors: `StartError` if it cannot be created, another process uses it, or
 * another version of Cuevault wrote it.
 */
export const openDataFolder = (path: string): DataFolder => {
  const release = makeAndLock(path);
  if (release === undefined)
    throw new StartError(
      `The data folder ${path} is in use by ${holder(path)}: stop it, or set CUEVAULT_DATA to another folder.`,
    );
  try {
    requireFormat(path);
  } catch (error) {
    release();
    throw error;
  }
  writeFileSync(join(path, HOLDER), String(process.pid), { mode: 0o600 });
  return { path, release };
};

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from './file-lock.ts';
import { StartError } from './start-error.ts';

const LOCK = 'lock';
const HOLDER = 'lock.pid';

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

/**
 * Opens the data folder for this process only. Creates it, readable by its owner only, if it does not exist. Returns a
 * function that releases it.
 * Errors: `StartError` if it cannot be created, or another process uses it.
 */
export const openDataFolder = (path: string): (() => void) => {
  const release = makeAndLock(path);
  if (release === undefined)
    throw new StartError(
      `The data folder ${path} is in use by ${holder(path)}: stop it, or set CUEVAULT_DATA to another folder.`,
    );
  writeFileSync(join(path, HOLDER), String(process.pid), { mode: 0o600 });
  return release;
};

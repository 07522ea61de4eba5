import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { StartError } from '../start-error.ts';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

const withOpen = <T>(file: string, use: (descriptor: number) => T): T => {
  const descriptor = openSync(file, 'r');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

// Written beside it, flushed and moved into place: there is a whole key or none, also after a power failure. A key that
// was used and then lost would take the vault with it.
const makeKey = (file: string): Buffer => {
  const key = randomBytes(KEY_BYTES);
  const fresh = `${file}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, key, { mode: OWNER_ONLY, flag: 'wx', flush: true });
  renameSync(fresh, file);
  withOpen(path.dirname(file), fsyncSync);
  return key;
};

const readKey = (file: string): Buffer =>
  withOpen(file, (descriptor) => {
    if ((fstatSync(descriptor).mode & OTHERS) !== 0) {
      throw new StartError(`The key file ${file} is open to other users: run "chmod 600 ${file}".`);
    }
    const key = readFileSync(descriptor);
    if (key.length !== KEY_BYTES) {
      throw new StartError(
        `The key file ${file} does not hold a key of ${KEY_BYTES} bytes: restore it from a backup.`,
      );
    }
    return key;
  });

/**
 * Reads the 32-byte key in a file that only its owner may read, and makes it if there is none. One process at a time:
 * whoever calls holds the data folder. Errors: `StartError` where others may read the file or it holds no key.
 */
export const readKeyFile = (file: string): Buffer => {
  try {
    return readKey(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return makeKey(file);
    throw error;
  }
};

import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { replacePrivate } from '../private-file.ts';
import { StartError } from '../start-error.ts';

const KEY_BYTES = 32;
const OTHERS = 0o077;
const HAS_MODES = process.platform !== 'win32';

const withOpen = <T>(file: string, use: (descriptor: number) => T): T => {
  const descriptor = openSync(file, 'r');
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const makeKey = (file: string): Buffer => {
  const key = randomBytes(KEY_BYTES);
  replacePrivate(file, key);
  // Without its key, the vault is lost. Windows has neither directories that can be flushed nor such modes: there the
  // folder of the user protects the file.
  if (HAS_MODES) withOpen(path.dirname(file), fsyncSync);
  return key;
};

const readKey = (file: string): Buffer =>
  withOpen(file, (descriptor) => {
    if (HAS_MODES && (fstatSync(descriptor).mode & OTHERS) !== 0) {
      throw new StartError(`The key file ${file} is accessible to other users: run "chmod 600 ${file}".`);
    }
    const key = readFileSync(descriptor);
    if (key.length !== KEY_BYTES) {
      throw new StartError(
        `The key file ${file} does not contain a key of ${KEY_BYTES} bytes: restore it from a backup.`,
      );
    }
    return key;
  });

/**
 * Reads the 32-byte key from a file that only its owner can read, and creates it if there is none. The caller must hold
 * the lock of the data folder. Errors: `StartError` if others can read the file or it does not contain a key.
 */
export const readKeyFile = (file: string): Buffer => {
  try {
    return readKey(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return makeKey(file);
    throw error;
  }
};

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The signing key of a data folder, and the former one that still verifies rows. */
export interface SigningKeys {
  readonly number: number;
  readonly former?: number;
}

const fileIn = (dataFolder: string): string => path.join(dataFolder, 'signing-key.json');

/** The signing keys of a data folder: the first one before any rotation. */
export const readSigningKeys = (dataFolder: string): SigningKeys => {
  const file = fileIn(dataFolder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SigningKeys) : { number: 1 };
};

/** Sets the signing keys of a data folder; takes effect at its next start. */
export const writeSigningKeys = (dataFolder: string, keys: SigningKeys): void => {
  const file = fileIn(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(keys)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
};

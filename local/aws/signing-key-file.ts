import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Which signing key of a data folder signs, and which former one still verifies. */
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

/** Sets the signing keys of a data folder, from its next start on. */
export const writeSigningKeys = (dataFolder: string, keys: SigningKeys): void => {
  const file = fileIn(dataFolder);
  writeFileSync(`${file}.new`, `${JSON.stringify(keys)}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
};

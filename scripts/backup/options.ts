import { readFileSync } from 'node:fs';
import { type Installation, installationShape } from '../../contract/backup.ts';
import { CommandError } from '../aws/stack.ts';

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

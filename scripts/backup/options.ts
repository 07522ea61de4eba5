import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Installation, installationShape } from '../../contract/backup.ts';
import { CommandError } from '../aws/stack.ts';

/** Reads the arguments of a command. Errors: `CommandError` with the usage. */
export const readArguments = <Options extends ParseArgsOptionsConfig>(
  options: Options,
  usage: string,
  files: number,
) => {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length === files) return { values, file: positionals[0] ?? '' };
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : error}\n\n${usage}`);
  }
  throw new CommandError(usage);
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

import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isDamagedElf } from './elf.ts';
import { CliError, EXIT } from './exit-codes.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** Whether a file may be executed by this user. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

const commandPaths = (command: string, env: Environment): string[] =>
  command.includes('/')
    ? [command]
    : (env.PATH ?? '/usr/bin:/bin').split(delimiter).map((folder) => join(folder || '.', command));

/** What to say when a name means no command. */
export const noSuchCommand = (command: string): CliError =>
  new CliError(`There is no command ${command}.`, EXIT.noSuchCommand);

/** The file that a command's name means. Errors: CliError `noSuchCommand`, `cannotRun`. */
export const findCommand = (command: string, env: Environment): string => {
  const paths = commandPaths(command, env);
  const found = paths.find(isExecutable);
  if (found !== undefined && !isDamagedElf(found)) return found;
  if (paths.some(exists)) throw new CliError(`The command ${command} cannot be run.`, EXIT.cannotRun);
  throw noSuchCommand(command);
};

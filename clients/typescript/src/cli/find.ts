import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError, EXIT } from './exit-codes.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** Whether a file may be executed by this user. */
const isExecutable = (path: string): boolean => {
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

/** The error for a command that does not exist. */
export const noSuchCommand = (command: string): CliError =>
  new CliError(`There is no command ${command}.`, EXIT.noSuchCommand);

/** Checks that a command is an executable program. Errors: CliError `noSuchCommand`, `cannotRun`. */
export const checkCommand = (command: string, env: Environment): void => {
  const paths = commandPaths(command, env);
  if (paths.some(isExecutable)) return;
  if (paths.some(exists)) throw new CliError(`The command ${command} cannot be run.`, EXIT.cannotRun);
  throw noSuchCommand(command);
};

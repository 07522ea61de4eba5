import { VERSION } from '../version.ts';
import { completionCommand } from './commands/completion.ts';
import { ENV_OPTIONS, envCommand } from './commands/env.ts';
import { GIT_OPTIONS, gitCommand } from './commands/git.ts';
import { IMPORT_OPTIONS, importCommand } from './commands/import.ts';
import { PROMPT_OPTIONS, promptCommand } from './commands/prompt.ts';
import { RUN_OPTIONS, runCommand } from './commands/run.ts';
import { TYPES_OPTIONS, typesCommand } from './commands/types.ts';
import { CliError, EXIT, exitCodeOf } from './exit-codes.ts';
import { HELP } from './help.ts';
import { cliMessage, isUsage } from './message.ts';
import { isReaderGone, type Terminal } from './terminal.ts';

type Command = (args: string[], terminal: Terminal) => Promise<number> | number;

const OPTIONS = {
  run: RUN_OPTIONS,
  env: ENV_OPTIONS,
  prompt: PROMPT_OPTIONS,
  ...GIT_OPTIONS,
  import: IMPORT_OPTIONS,
  types: TYPES_OPTIONS,
};

const COMMANDS: { readonly [name: string]: Command } = {
  run: runCommand,
  env: envCommand,
  prompt: promptCommand,
  push: gitCommand('push'),
  pull: gitCommand('pull'),
  diff: gitCommand('diff'),
  import: importCommand,
  types: typesCommand,
  completion: (args, terminal) => completionCommand(args, terminal, { ...OPTIONS, completion: {} }),
};

const dispatch = async ([name = '', ...args]: string[], terminal: Terminal): Promise<number> => {
  if (['', 'help', '--help', '-h'].includes(name)) {
    (name === '' ? terminal.err : terminal.out)(HELP);
    return name === '' ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    terminal.out(`${VERSION}\n`);
    return EXIT.done;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new CliError(`There is no command ${JSON.stringify(name)}; see "cuevault --help".`, EXIT.usage);
  }
  return command(args, terminal);
};

/** Runs the command line and returns its exit code. A failure is one line on standard error, a reader that exits early is no failure. */
export const main = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (isReaderGone(error)) return EXIT.other;
    terminal.err(`cuevault: ${cliMessage(error)}\n`);
    return isUsage(error) ? EXIT.usage : exitCodeOf(error);
  }
};

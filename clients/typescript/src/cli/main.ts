import { VERSION } from '../version.ts';
import { completionCommand } from './commands/completion.ts';
import { ENV_OPTIONS, envCommand } from './commands/env.ts';
import { GIT_OPTIONS, gitCommand } from './commands/git.ts';
import { IMPORT_OPTIONS, importCommand } from './commands/import.ts';
import { PROMPT_OPTIONS, promptCommand } from './commands/prompt.ts';
import { RUN_OPTIONS, runCommand } from './commands/run.ts';
import { TYPES_OPTIONS, typesCommand } from './commands/types.ts';
import { WHOAMI_OPTIONS, whoamiCommand } from './commands/whoami.ts';
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
  whoami: WHOAMI_OPTIONS,
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
  whoami: whoamiCommand,
  completion: (args, terminal) => completionCommand(args, terminal, { ...OPTIONS, completion: {} }),
};

/** Whether a text becomes another one by a letter that is added, left out or changed, or two that change places. */
const isNear = (wanted: string, given: string): boolean => {
  const at = [...wanted].findIndex((letter, index) => letter !== given[index]);
  const [left, right] = [wanted.slice(at), given.slice(at)];
  const swapped = `${left[1]}${left[0]}${left.slice(2)}`;
  return at < 0 || [left.slice(1), left].includes(right.slice(1)) || [left.slice(1), swapped].includes(right);
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
    const meant = Object.keys(COMMANDS).find((each) => isNear(each, name));
    const hint = meant === undefined ? 'see "cuevault --help"' : `did you mean "${meant}"?`;
    throw new CliError(`There is no command ${JSON.stringify(name)}; ${hint}`, EXIT.usage);
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

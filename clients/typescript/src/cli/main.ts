import { CuevaultError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { envCommand } from './env.ts';
import { CliError, EXIT, exitCodeOf } from './exit-codes.ts';
import { HELP } from './help.ts';
import { promptCommand } from './prompt.ts';
import { runCommand } from './run.ts';
import { isReaderGone, type Terminal } from './terminal.ts';

const COMMANDS: { readonly [name: string]: (args: string[], terminal: Terminal) => Promise<number> } = {
  run: runCommand,
  env: envCommand,
  prompt: promptCommand,
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

const isUsage = (error: unknown): error is Error =>
  String((error as { code?: unknown } | undefined)?.code).startsWith('ERR_PARSE_ARGS');

/** Runs the command line and returns its exit code; a failure is one line on standard error, a reader that went early none. */
export const main = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (isReaderGone(error)) return EXIT.other;
    const known = isUsage(error) || error instanceof CliError || error instanceof CuevaultError;
    const sentence = known ? error.message : `Something went wrong (${(error as Error)?.name}).`;
    terminal.err(`cuevault: ${sentence}\n`);
    return isUsage(error) ? EXIT.usage : exitCodeOf(error);
  }
};

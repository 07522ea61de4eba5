import { parseArgs } from 'node:util';
import { closestMatch } from 'leven';
import { VERSION } from '../version.ts';
import { envCommand } from './commands/env.ts';
import { promptCommand } from './commands/prompt.ts';
import { runCommand } from './commands/run.ts';
import { typesCommand } from './commands/types.ts';
import { whoamiCommand } from './commands/whoami.ts';
import { CliErrors, cliMessage, EXIT, exitCodeOf, isUsage, wrongUsage } from './exit-codes.ts';
import { type CommandName, DESCRIPTIONS, HELP, helpOf, usageOf } from './help.ts';
import { EVERY } from './injection.ts';
import { type Call, OPTIONS } from './options.ts';
import { isReaderGone, type Terminal } from './terminal.ts';

interface Command {
  /** How many operands it takes, at least and at most. */
  readonly operands: readonly [least: number, most: number];
  readonly run: (call: Call) => Promise<number> | number;
}

// Loaded with their first call: they contain packages for YAML and canonical JSON.
const inGit = (
  name: 'push' | 'pull' | 'diff' | 'import',
  operands: Command['operands'] = [1, 1],
): Command => ({
  operands,
  run: async (call) => (await import('./git/commands.ts')).COMMANDS[name](call),
});

const COMMANDS: { readonly [name in CommandName]: Command } = {
  run: { operands: [1, Number.POSITIVE_INFINITY], run: runCommand },
  env: { operands: [0, 0], run: envCommand },
  prompt: { operands: [2, 2], run: promptCommand },
  push: inGit('push'),
  pull: inGit('pull'),
  diff: inGit('diff'),
  import: inGit('import', [1, 2]),
  mcp: {
    operands: [0, 0],
    run: async (call) => (await import('./git/mcp.ts')).mcpCommand(call),
  },
  types: { operands: [1, Number.POSITIVE_INFINITY], run: typesCommand },
  whoami: { operands: [0, 0], run: whoamiCommand },
};

const MOST_DIFFERENCES = 2;

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** Options behind the first operand are those of the command. Errors: CliError `usage` if there is one; of parseArgs. */
const requireSeparator = (own: string[], behind: readonly string[], options: typeof OPTIONS): void => {
  const { tokens } = parseArgs({ args: own, options, strict: false, tokens: true });
  const first = tokens.find(({ kind }) => kind === 'positional')?.index;
  if (first === undefined) return;
  parseArgs({ args: own.slice(0, first), options });
  const line = ['cuevault run', ...own.slice(0, first), '--', ...own.slice(first), ...behind].join(' ');
  throw wrongUsage(`Put "--" before the command: ${line}`);
};

const runNamed = (name: string, args: readonly string[], terminal: Terminal): Promise<number> | number => {
  if (!isCommand(name)) {
    const meant = closestMatch(name, Object.keys(COMMANDS), { maxDistance: MOST_DIFFERENCES });
    const hint = meant === undefined ? 'See "cuevault --help".' : `Did you mean "${meant}"?`;
    throw wrongUsage(`There is no command ${JSON.stringify(name)}. ${hint}`);
  }
  const split = args.indexOf('--');
  const behind = split < 0 ? [] : args.slice(split + 1);
  // The value of this option is optional, which parseArgs does not have.
  const own = (split < 0 ? args : args.slice(0, split)).map((arg) =>
    arg === '--override' ? `${arg}=${EVERY}` : arg,
  );
  const chosen = ['help', ...Object.keys(DESCRIPTIONS[name].options)] as (keyof typeof OPTIONS)[];
  const options = Object.fromEntries(chosen.map((option) => [option, OPTIONS[option]])) as typeof OPTIONS;
  if (name === 'run') requireSeparator(own, behind, options);
  const { values, positionals } = parseArgs({ args: own, options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(helpOf(name));
    return EXIT.done;
  }
  const operands = [...positionals, ...behind];
  const {
    operands: [least, most],
    run,
  } = COMMANDS[name];
  if (operands.length >= least && operands.length <= most) return run({ values, operands, terminal });
  throw wrongUsage(`Usage: ${usageOf(name).join(', or ')}; see "cuevault ${name} --help".`);
};

const dispatch = ([name = '', ...args]: string[], terminal: Terminal): Promise<number> | number => {
  if (['', 'help', '--help', '-h'].includes(name)) {
    (name === '' ? terminal.err : terminal.out)(HELP);
    return name === '' ? EXIT.usage : EXIT.done;
  }
  if (name !== '--version') return runNamed(name, args, terminal);
  terminal.out(`${VERSION}\n`);
  return EXIT.done;
};

/** Runs the command line and returns its exit code. A failure is one line on standard error for each of its reasons, a reader that exits early is no failure. */
export const main = async (args: string[], terminal: Terminal): Promise<number> => {
  try {
    return await dispatch(args, terminal);
  } catch (error) {
    if (isReaderGone(error)) return EXIT.other;
    for (const each of error instanceof CliErrors ? error.errors : [error])
      terminal.err(`cuevault: ${cliMessage(each)}\n`);
    return isUsage(error) ? EXIT.usage : exitCodeOf(error);
  }
};

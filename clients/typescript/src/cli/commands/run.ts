import { parseArgs } from 'node:util';
import { checkEnvironment } from '../../secrets/environment.ts';
import type { SecretsResult } from '../../wire.ts';
import { type Child, type Ending, endAs, passSignals, startChild } from '../child.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { type Environment, noSuchCommand } from '../find.ts';
import { RUN_HELP } from '../help.ts';
import { positive, SOURCE_OPTIONS, secretsSource } from '../source.ts';
import type { Terminal } from '../terminal.ts';
import { watch } from '../watch.ts';

export const RUN_OPTIONS = {
  ...SOURCE_OPTIONS,
  'allow-dangerous-names': { type: 'boolean' },
  'preserve-env': { type: 'boolean' },
  'without-api-key': { type: 'boolean' },
  watch: { type: 'boolean' },
  'watch-interval': { type: 'string', default: '60' },
} as const;

interface Inheritance {
  readonly 'preserve-env'?: boolean | undefined;
  readonly 'without-api-key'?: boolean | undefined;
}

/** The environment of the command. */
const environmentWith = (secrets: SecretsResult, options: Inheritance): Environment => {
  const inherited = { ...process.env };
  if (options['without-api-key'] === true) {
    delete inherited.CUEVAULT_API_KEY;
    delete inherited.CUEVAULT_API_KEY_FILE;
  }
  // Without a prototype: a secret may be called __proto__.
  const empty: Environment = Object.create(null);
  return options['preserve-env'] === true
    ? Object.assign(empty, secrets, inherited)
    : Object.assign(empty, inherited, secrets);
};

const checked = (secrets: SecretsResult, allowDangerousNames: boolean | undefined): SecretsResult => {
  try {
    checkEnvironment(secrets, { allowDangerousNames });
    return secrets;
  } catch (error) {
    throw new CliError((error as Error).message, EXIT.unsuitable);
  }
};

const runBeside = async (command: string, args: readonly string[], env: Environment): Promise<Ending> => {
  let child: Child | undefined;
  // Before the start: a signal right after it would end only this process.
  const release = passSignals((signal) => child?.kill(signal));
  try {
    child = startChild(command, args, env);
    return await child.ended;
  } finally {
    release();
  }
};

const parse = (args: string[]) => {
  const split = args.indexOf('--');
  const own = split < 0 ? args : args.slice(0, split);
  const { values, positionals } = parseArgs({ args: own, options: RUN_OPTIONS, allowPositionals: true });
  const [command, ...rest] = split < 0 ? [] : args.slice(split + 1);
  return { values, positionals, command, rest };
};

/** `cuevault run -- COMMAND`: runs the command with secrets in its environment. Returns the exit code. */
export const runCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const { values, positionals, command, rest } = parse(args);
  if (values.help === true) {
    terminal.out(RUN_HELP);
    return EXIT.done;
  }
  if (positionals.length > 0) {
    const line = [...positionals, ...(command === undefined ? [] : [command, ...rest])].join(' ');
    throw new CliError(`Put "--" before the command: cuevault run -- ${line}`, EXIT.usage);
  }
  if (command === undefined) {
    throw new CliError('Usage: cuevault run -- COMMAND; see "cuevault run --help".', EXIT.usage);
  }
  if (command === '') throw noSuchCommand('""');
  const intervalMs = positive('watch-interval', values['watch-interval']) * 1000;
  const source = secretsSource(values, terminal);
  const read = async () => checked(await source(), values['allow-dangerous-names']);
  const secrets = await read();
  if (values.watch !== true) return endAs(await runBeside(command, rest, environmentWith(secrets, values)));
  const start = (current: SecretsResult) => startChild(command, rest, environmentWith(current, values));
  const warn = (sentence: string) => terminal.err(`cuevault: ${sentence}\n`);
  return endAs(await watch({ start, read, intervalMs, warn }, secrets));
};

import { parseArgs } from 'node:util';
import { checkEnvironment } from '../secrets/environment.ts';
import type { SecretsResult } from '../wire.ts';
import { type Child, type Ending, endAs, passSignals, startChild } from './child.ts';
import { CliError, EXIT } from './exit-codes.ts';
import { type Environment, noSuchCommand } from './find.ts';
import { RUN_HELP } from './help.ts';
import { replaceProcess } from './replace.ts';
import { positive, SOURCE_OPTIONS, secretsSource } from './source.ts';
import type { Terminal } from './terminal.ts';
import { watch } from './watch.ts';

const OPTIONS = {
  ...SOURCE_OPTIONS,
  'allow-dangerous-names': { type: 'boolean' },
  watch: { type: 'boolean' },
  'watch-interval': { type: 'string', default: '60' },
} as const;

// Without a prototype: a secret may be called __proto__.
const environmentWith = (secrets: SecretsResult): Environment =>
  Object.assign(Object.create(null), process.env, secrets);

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
  // Before the start: a signal that came right after it would end this process alone.
  const release = passSignals((signal) => child?.kill(signal));
  try {
    child = startChild(command, args, env);
    return await child.ended;
  } finally {
    release();
  }
};

/** `cuevault run -- COMMAND`: becomes the command, with secrets in its environment. Returns the exit code. */
export const runCommand = async (args: string[], terminal: Terminal): Promise<number> => {
  const split = args.indexOf('--');
  const own = split < 0 ? args : args.slice(0, split);
  const [command, ...rest] = split < 0 ? [] : args.slice(split + 1);
  const { values } = parseArgs({ args: own, options: OPTIONS });
  if (values.help === true) {
    terminal.out(RUN_HELP);
    return EXIT.done;
  }
  if (command === undefined) {
    throw new CliError('Say "cuevault run -- COMMAND"; see "cuevault run --help".', EXIT.usage);
  }
  if (command === '') throw noSuchCommand('""');
  const intervalMs = positive('watch-interval', values['watch-interval']) * 1000;
  const source = secretsSource(values, terminal);
  const read = async () => checked(await source(), values['allow-dangerous-names']);
  const secrets = await read();
  if (values.watch !== true) {
    const env = environmentWith(secrets);
    replaceProcess(command, rest, env);
    return endAs(await runBeside(command, rest, env));
  }
  const start = (current: SecretsResult) => startChild(command, rest, environmentWith(current));
  const warn = (sentence: string) => terminal.err(`cuevault: ${sentence}\n`);
  return endAs(await watch({ start, read, intervalMs, warn }, secrets));
};

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { SettingError } from '../../lib/settings.ts';
import { StartError } from '../../local/start-error.ts';
import { CommandError } from './stack.ts';

// Errors of the credential chain and the network, with what to do about them.
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^(CredentialsProviderError|ExpiredToken.*|UnrecognizedClientException|InvalidClientTokenId)$/,
    'There are no valid AWS credentials. Sign in, for example with "aws sso login", or set AWS_PROFILE.',
  ],
  [/^AccessDenied(Exception)?$/, 'The credentials lack a permission: '],
];

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if ([CommandError, StartError, SettingError].some((known) => error instanceof known)) return error.message;
  if (/region is missing/i.test(error.message)) return 'No AWS region is set. Set AWS_REGION or AWS_PROFILE.';
  const remedy = REMEDIES.find(([name]) => name.test(error.name))?.[1];
  if (remedy === undefined) return `${error.name}: ${error.message}`;
  return remedy.endsWith(': ') ? `${remedy}${error.message}` : remedy;
};

/** A text for people: in a package, with its own command and `--stack` in place of the scripts of the repository. */
const spoken = (text: string): string => {
  const command = process.env.CUEVAULT_COMMAND;
  if (command === undefined) return text;
  return text
    .replaceAll('npm run deploy', 'npx cdk deploy')
    .replaceAll(/npm run (?:--silent )?/g, `${command} `)
    .replaceAll(/\[(?:-- )?--stage prod\]/g, '--stack NAME')
    .replaceAll(/ -- (?=\S)/g, ' ')
    .replaceAll(/^( +)--stage NAME( +).*$/gm, '$1--stack NAME$2the deployment');
};

/** Runs a command and prints its result, if any. A failure is one sentence on standard error, and exit status 1. */
export const runCommand = async (command: () => Promise<string | undefined>): Promise<void> => {
  try {
    const result = await command();
    if (result !== undefined) console.log(spoken(result));
  } catch (error) {
    console.error(spoken(messageOf(error)));
    process.exitCode = 1;
  }
};

export interface Accepted<Options extends ParseArgsOptionsConfig> {
  readonly usage: string;
  readonly options: Options;
  /** Accepted numbers of arguments that are not options, ascending. @default [0] */
  readonly counts?: readonly number[];
}

/** Options and other arguments as given. */
export type Given<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

// Messages of `parseArgs` may continue with how to pass such a text anyway.
const firstSentence = (text: string): string => `${text.split(/\.\s|\.$|\n/, 1)[0]}.`;

const parse = <Options extends ParseArgsOptionsConfig>(options: Options, usage: string): Given<Options> => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new CommandError(`${firstSentence((error as Error).message)}\n\n${usage}`);
  }
};

/**
 * Runs a command as `runCommand` does, with its arguments. `--help` prints the usage, and arguments that it does not
 * accept are refused with the usage.
 */
export const runWithArguments = <Options extends ParseArgsOptionsConfig>(
  { usage, options, counts = [0] }: Accepted<Options>,
  command: (given: Given<Options>) => Promise<string | undefined>,
): Promise<void> =>
  runCommand(async () => {
    if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return usage;
    const given = parse(options, usage);
    const { positionals } = given;
    const extra = positionals[counts.at(-1) ?? 0];
    if (extra !== undefined) throw new CommandError(`Unexpected argument '${extra}'.\n\n${usage}`);
    if (!counts.includes(positionals.length)) throw new CommandError(usage);
    return command(given);
  });

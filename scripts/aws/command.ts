import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { SettingError } from '../../lib/settings.ts';
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
  const isKnown = [CommandError, SettingError].some((known) => error instanceof known);
  // Of an installation on this machine, which packages for AWS do not know.
  if (isKnown || error.name === 'StartError') return error.message;
  if (/region is missing/i.test(error.message)) return 'No AWS region is set. Set AWS_REGION or AWS_PROFILE.';
  const remedy = REMEDIES.find(([name]) => name.test(error.name))?.[1];
  if (remedy === undefined) return `${error.name}: ${error.message}`;
  return remedy.endsWith(': ') ? `${remedy}${error.message}` : remedy;
};

/** The start of a command in a package, where it is a constant; undefined in a clone. */
export const COMMAND = process.env.CUEVAULT_COMMAND;

/** Whether this is the package with the construct, whose commands speak to the stack of an app. */
export const IN_APP = COMMAND === 'npx --no cuevault-cdk';

/** A text for people: in a package, with its own commands in place of the scripts of the repository. */
const spoken = (text: string): string => {
  if (COMMAND === undefined) return text;
  const told = IN_APP
    ? text.replaceAll('npm run deploy', 'npx cdk deploy').replaceAll('--stage NAME', '--stack NAME')
    : text;
  return told.replaceAll(/npm run (?:--silent )?/g, `${COMMAND} `).replaceAll(/ -- (?=\S)/g, ' ');
};

/** Prints a text for people, while the command goes on. */
export const say = (text: string): void => console.log(spoken(text));

/** What somebody answers to a question. Errors: `CommandError` with the alternative if nobody can answer. */
export const ask = async (question: string, alternative: string): Promise<string> => {
  if (!process.stdin.isTTY) throw new CommandError(`Nobody can answer here. ${alternative}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return (await terminal.question(question).finally(() => terminal.close())).trim();
};

/** Runs a command and prints its result, if any. A failure is one sentence on standard error, and exit status 1. */
export const runCommand = async (command: () => Promise<string | undefined>): Promise<void> => {
  try {
    const result = await command();
    if (result !== undefined) say(result);
  } catch (error) {
    console.error(spoken(messageOf(error)));
    process.exitCode = 1;
  }
};

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: boolean;
  /** What the usage says: its form, and its meaning. @default - nothing */
  readonly says?: readonly [form: string, meaning: string];
}

type Options = Readonly<Record<string, Option>>;

/** Packages for AWS do not offer it. */
const LOCAL = '--local';

const stage = {
  type: 'string',
  says: ['--stage NAME', 'the deployment on AWS; without it, the only one'],
} as const;

/** Of commands for a deployment. */
export const OF_DEPLOYMENT = { stage } as const;

/** Of commands for an installation anywhere: without both, the only one is meant. */
export const OF_INSTALLATION = {
  stage,
  local: {
    type: 'boolean',
    default: false,
    says: [LOCAL, 'the installation on this machine, in CUEVAULT_DATA'],
  },
} as const;

/** Of commands that read the settings of the next deployment. */
export const OF_SETTINGS = {
  context: {
    type: 'string',
    short: 'c',
    multiple: true,
    says: ['-c NAME=VALUE', 'a setting, which the deployment keeps'],
  },
  accept: {
    type: 'string',
    multiple: true,
    says: ['--accept NAME', 'a check of production, Lambda or CloudTrail, whose failure is taken knowingly'],
  },
} as const;

export interface Accepted<Known extends Options> {
  /** How the command is called, and what it does. The lines of the options follow. */
  readonly usage: string;
  readonly options: Known;
  /** Accepted numbers of arguments that are not options, ascending. @default [0] */
  readonly counts?: readonly number[];
}

/** Options and other arguments as given. */
export type Given<Known extends Options> = ReturnType<
  typeof parseArgs<{ options: { [Name in keyof Known]: Known[Name] }; allowPositionals: true }>
>;

/** Arguments that a command does not accept: the usage follows. */
export class UsageError extends CommandError {}

/** The usage of a command, with a line for each option. */
export const usageOf = <Known extends Options>({ usage, options }: Accepted<Known>): string => {
  const lines = Object.values(options).flatMap(({ says }) =>
    says === undefined || (COMMAND !== undefined && says[0] === LOCAL) ? [] : [says],
  );
  const width = Math.max(0, ...lines.map(([form]) => form.length));
  const list = lines.map(([form, meaning]) => `  ${form.padEnd(width)}  ${meaning}`);
  return list.length === 0 ? usage : `${usage}\n\n${list.join('\n')}`;
};

// Messages of `parseArgs` may continue with how to pass such a text anyway.
const firstSentence = (text: string): string => `${text.split(/\.\s|\.$|\n/, 1)[0]}.`;

const parse = <Known extends Options>({ options, counts = [0] }: Accepted<Known>): Given<Known> => {
  let given: Given<Known>;
  try {
    given = parseArgs({ options, allowPositionals: true }) as Given<Known>;
  } catch (error) {
    throw new UsageError(firstSentence((error as Error).message));
  }
  const { positionals } = given;
  const extra = positionals[counts.at(-1) ?? 0];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  if (!counts.includes(positionals.length)) throw new UsageError();
  return given;
};

/**
 * Runs a command as `runCommand` does, with its arguments. `--help` prints the usage, and arguments that it does not
 * accept are refused with the usage.
 */
export const runWithArguments = <Known extends Options>(
  accepted: Accepted<Known>,
  command: (given: Given<Known>) => Promise<string | undefined>,
): Promise<void> =>
  runCommand(async () => {
    const usage = usageOf(accepted);
    if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return usage;
    try {
      return await command(parse(accepted));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new CommandError(error.message === '' ? usage : `${error.message}\n\n${usage}`);
    }
  });

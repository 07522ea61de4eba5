import {
  AuthenticationError,
  CuevaultError,
  isOutage,
  MissingVariablesError,
  NotFoundError,
  PermissionDeniedError,
} from '../errors.ts';
import { quoted } from '../wire.ts';

/** Exit codes of the command line; `run` exits as its command exits. */
export const EXIT = {
  done: 0,
  other: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  unavailable: 5,
  unsuitable: 6,
  differs: 8,
  drift: 9,
  cannotRun: 126,
  noSuchCommand: 127,
} as const;

/** A failure of the command line itself: the message and the exit code. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Several failures, each of which is a line. */
export class CliErrors extends CliError {
  readonly errors: readonly CliError[];

  /** There must be one at least; its exit code is that of all. */
  constructor(errors: readonly CliError[]) {
    super(errors.map(({ message }) => message).join(' '), errors[0]?.exitCode ?? EXIT.other);
    this.errors = errors;
  }
}

/** Throws all errors of a list at once, if there are any. */
export const throwAll = (errors: readonly CliError[]): void => {
  if (errors.length > 0) throw new CliErrors(errors);
};

/** The error for wrong usage. */
export const wrongUsage = (message: string): CliError => new CliError(message, EXIT.usage);

/** The exit code that a failure means. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) return EXIT.refused;
  if (error instanceof NotFoundError) return EXIT.notFound;
  if (isOutage(error)) return EXIT.unavailable;
  if (error instanceof CuevaultError && error.code === 'configuration') return EXIT.usage;
  if (error instanceof CuevaultError && error.code === 'changed_meanwhile') return EXIT.drift;
  return EXIT.other;
};

/** Whether an error is that of Node's parser of arguments. */
export const isUsage = (error: unknown): error is Error =>
  String((error as { code?: unknown } | undefined)?.code).startsWith('ERR_PARSE_ARGS');

// What the library calls an option is a variable here.
const REPLACEMENTS = [
  ['or allow this with allowInsecureHttp.', 'or set CUEVAULT_ALLOW_INSECURE_HTTP=1.'],
  ['pass apiKey, or set', 'set'],
] as const;

// What `push` is refused with, and only a person can change.
const ADVICE: Readonly<Record<string, string>> = {
  restorable: 'Have an operator restore or create it in the admin UI, or remove its file.',
  too_many_prompts:
    'Have an administrator delete prompts, which count for eight more days, or push with a key that may create more.',
};

/** The error of one of several. */
export const errorAbout = (name: string, error: unknown): CliError =>
  new CliError(`${JSON.stringify(name)}: ${cliMessage(error)}`, exitCodeOf(error));

/** A text without line breaks. */
export const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** The message for a failure, one line in the words of the command line. */
export const cliMessage = (error: unknown): string => oneLine(wordsFor(error));

// An unknown error could contain anything.
const wordsFor = (error: unknown): string => {
  if (error instanceof MissingVariablesError) {
    return `The prompt needs a value for ${quoted(error.variables)}: add --var NAME=VALUE, or leave out --strict.`;
  }
  if (error instanceof CuevaultError && error.code === 'unauthenticated') {
    const [, sent = ''] = error.message.split(/(?= (?:It|The key with the id \w+) was sent to )/);
    return `The API key or token was rejected: it is unknown, expired or revoked.${sent}`;
  }
  // Its first sentence: some go on, on further lines.
  if (isUsage(error)) return `${error.message.split(/\.\s/)[0]}; see "cuevault --help".`;
  if (error instanceof CliError || error instanceof CuevaultError) {
    const advice = error instanceof CuevaultError ? ADVICE[error.code] : undefined;
    const message = advice === undefined ? error.message : `${error.message} ${advice}`;
    return REPLACEMENTS.reduce((text, [from, to]) => text.replace(from, to), message);
  }
  return `Something went wrong (${(error as Error | undefined)?.name}).`;
};

import { CommandError } from './stack.ts';

// Errors of the credential chain and the network, with what to do about them.
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [
    /^(CredentialsProviderError|ExpiredToken.*|UnrecognizedClientException|InvalidClientTokenId)$/,
    'There are no valid AWS credentials. Sign in, for example with "aws sso login", or set AWS_PROFILE.',
  ],
  [/^AccessDenied(Exception)?$/, 'The credentials lack a permission: '],
];

const isOfOptions = (error: Error & { readonly code?: unknown }): boolean =>
  String(error.code).startsWith('ERR_PARSE_ARGS');

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommandError || isOfOptions(error)) return error.message;
  if (/region is missing/i.test(error.message)) return 'No AWS region is set. Set AWS_REGION or AWS_PROFILE.';
  const remedy = REMEDIES.find(([name]) => name.test(error.name))?.[1];
  if (remedy === undefined) return `${error.name}: ${error.message}`;
  return remedy.endsWith(': ') ? `${remedy}${error.message}` : remedy;
};

/** Runs a command and prints its result. A failure is one sentence on standard error, and exit status 1. */
export const runCommand = async (command: () => Promise<string>): Promise<void> => {
  try {
    console.log(await command());
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
};

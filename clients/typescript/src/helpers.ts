import { CuevaultError } from './errors.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { checkAsked } from './prompts/prompt.ts';
import { textOf } from './prompts/templates.ts';
import { fetchSecrets, plainSecrets } from './secrets/secrets.ts';
import { CONNECTION, checkOptions, type Names, resolveEnvironment } from './settings.ts';
import type { Envelope, PromptRequest, PromptResult, SecretsRequest, SecretsResult } from './wire.ts';

/** One call each: no pause after a failed call. */
type ConnectionOptions = Omit<TransportOptions, 'pauseMs'>;

export interface GetSecretsOptions extends SecretsRequest, ConnectionOptions {
  /**
   * Set every returned secret as an environment variable of this process, except names that could change what programs
   * do, such as PATH: `notSet` of the envelope has those. @default false
   */
  readonly shouldSetEnv?: boolean | undefined;
  /** Names of this kind to set nevertheless; those of `CUEVAULT_*` never are. @default none */
  readonly allow?: readonly string[] | undefined;
}

export type SecretsEnvelope = Envelope<SecretsResult> & {
  /** Names of the secrets that `shouldSetEnv` did not set; absent if there is none. */
  readonly notSet?: readonly string[];
};

export interface GetPromptHelperOptions extends PromptRequest, ConnectionOptions {}

const SECRETS_NAMES: Names<GetSecretsOptions> = {
  ...CONNECTION,
  key: true,
  environment: true,
  tags: true,
  shouldSetEnv: true,
  allow: true,
};

const PROMPT_NAMES: Names<GetPromptHelperOptions> = {
  ...CONNECTION,
  name: true,
  promptId: true,
  version: true,
  label: true,
  shouldCompile: true,
  variables: true,
  strict: true,
  metaProperties: true,
};

/** The envelope of any outcome: nothing is thrown. */
const envelopeOf = async <Result>(call: () => Promise<Result>): Promise<Envelope<Result>> => {
  try {
    return { err: null, res: await call() };
  } catch (error) {
    // A foreign error message could contain anything.
    const name = error instanceof Error ? error.name : typeof error;
    const err = error instanceof CuevaultError ? error.message : `The call failed unexpectedly (${name}).`;
    return { err, res: null };
  }
};

/**
 * Fetches secrets and returns the envelope, `{ err, res }`: it never throws. All secrets, or the one with the given
 * `key`, or those that have all of `tags`.
 */
export const getSecrets = async (options: GetSecretsOptions = {}): Promise<SecretsEnvelope> => {
  let notSet: readonly string[] = [];
  const envelope = await envelopeOf(async () => {
    checkOptions(options, SECRETS_NAMES);
    const { key, tags, shouldSetEnv, allow } = options;
    const environment = resolveEnvironment(options.environment);
    const secrets = await fetchSecrets(createTransport(options), { key, environment, tags });
    if (shouldSetEnv === true) {
      const { setEnvironment } = await import('./secrets/environment.ts');
      notSet = setEnvironment(secrets, { allow });
    }
    return plainSecrets(secrets);
  });
  return notSet.length === 0 ? envelope : { ...envelope, notSet };
};

/**
 * Fetches a prompt, compiled by the service if `shouldCompile` is true, and returns the envelope, `{ err, res }`:
 * it never throws.
 */
export const getPrompt = (options: GetPromptHelperOptions = {}): Promise<Envelope<PromptResult>> =>
  envelopeOf(async () => {
    checkOptions(options, PROMPT_NAMES);
    const { url, apiKey, allowInsecureHttp, timeoutMs, totalTimeoutMs, maxRetries, fetch, ...body } = options;
    for (const [name, value] of Object.entries(body.variables ?? {})) textOf(name, value);
    const subject = { operation: 'prompt', name: body.name ?? body.promptId } as const;
    const res = await createTransport(options).send({ path: '/api/prompt/get-compiled', body, subject });
    checkAsked(res, body);
    return res as unknown as PromptResult;
  });

import { CuevaultError } from './errors.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { hideValues } from './secrets/hidden.ts';
import { fetchSecrets } from './secrets/secrets.ts';
import type { Envelope, PromptRequest, PromptResult, SecretsRequest, SecretsResult } from './wire.ts';

/** One call each: no pause after a failed call. */
type ConnectionOptions = Omit<TransportOptions, 'restMs'>;

export interface GetSecretsOptions extends SecretsRequest, ConnectionOptions {
  /** Set every returned secret as an environment variable of this process; all or none. @default false */
  readonly shouldSetEnv?: boolean | undefined;
  /** Set also names that change how programs load code, such as PATH. @default false */
  readonly allowDangerousNames?: boolean | undefined;
}

export interface GetPromptHelperOptions extends PromptRequest, ConnectionOptions {}

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
export const getSecrets = (options: GetSecretsOptions = {}): Promise<Envelope<SecretsResult>> =>
  envelopeOf(async () => {
    const { key, tags, shouldSetEnv, allowDangerousNames } = options;
    const secrets = await fetchSecrets(createTransport(options), { key, tags });
    if (shouldSetEnv === true) {
      const { setEnvironment } = await import('./secrets/environment.ts');
      setEnvironment(secrets, { allowDangerousNames });
    }
    return hideValues(secrets);
  });

/**
 * Fetches a prompt, compiled by the service if `shouldCompile` is true, and returns the envelope, `{ err, res }`:
 * it never throws.
 */
export const getPrompt = (options: GetPromptHelperOptions): Promise<Envelope<PromptResult>> =>
  envelopeOf(async () => {
    const { url, apiKey, allowInsecureHttp, timeoutMs, totalTimeoutMs, retries, fetch, ...body } = options;
    const subject = { operation: 'prompt', name: body.name ?? body.promptId } as const;
    const res = await createTransport(options).post({ path: '/api/prompt/get-compiled', body, subject });
    return res as unknown as PromptResult;
  });

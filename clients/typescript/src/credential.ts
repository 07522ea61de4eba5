import { UnavailableError } from './errors.ts';
import { environmentVariable } from './platform.ts';
import { fileOf, isHeaderText, refuse, resolveApiKey } from './settings.ts';

/** Returns a token of the caller's platform for the audience of a trust. Called before each request. */
export type TokenProvider = () => string | Promise<string>;

/** What proves who a caller is; commands do not get it with --without-api-key. */
export const PROOF_VARIABLES: readonly string[] = [
  ...['CUEVAULT_API_KEY', 'CUEVAULT_API_KEY_FILE', 'CUEVAULT_IDENTITY_TOKEN', 'CUEVAULT_IDENTITY_TOKEN_FILE'],
  ...['CUEVAULT_OFFLINE_KEY', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'],
];

/** The id in an API key; it is no secret. Undefined for anything else. */
export const keyIdOf = (apiKey: string): string | undefined => /^cue_([0-9A-Za-z]{8})_/.exec(apiKey)?.[1];

/** With what a client proves who it is. */
export interface Credential {
  /** Whose copies and caches are: the API key, or the audience of a trust with `CUEVAULT_OFFLINE_KEY`; empty without it. */
  readonly owner: string;
  readonly bearer: TokenProvider;
}

/** Below the limit of an attempt, so that its error names the platform. */
const TIMEOUT_MS = 4_000;
/** A token is replaced so long before it expires. */
const EARLY_MS = 60_000;

const expiryOf = (token: string): number => {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return Number(JSON.parse(atob(payload)).exp) * 1_000 || 0;
  } catch {
    return 0;
  }
};

/** One request at a time, and none while the last token is valid for another minute. */
const kept = (request: () => Promise<string>): TokenProvider => {
  let token = '';
  let running: Promise<string> | undefined;
  return () => {
    if (expiryOf(token) - EARLY_MS > Date.now()) return token;
    running ??= request()
      .then((next) => {
        token = next;
        return next;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
};

/** The error for a platform that gave no token; if its service fails, a copy may answer in its place. */
const noToken = (from: string, reason: string, isFailure: boolean) => {
  const message = `${from} gave no token for CUEVAULT_TRUST (${reason}).`;
  return isFailure ? new UnavailableError(message, { code: 'unavailable' }) : refuse(message);
};

const isFailure = (status: number): boolean => status === 429 || status >= 500;

/** What an error is called. Only names: texts of platforms could contain anything. */
const nameOf = (error: unknown): string => {
  const { name, code = name } = error as { name?: unknown; code?: unknown };
  return /^\w{1,100}$/.test(String(code)) ? String(code) : 'unknown';
};

const fromGitHub = async (address: string, requestToken: string, audience: string): Promise<string> => {
  const url = `${address}&audience=${encodeURIComponent(audience)}`;
  const headers = { authorization: `Bearer ${requestToken}` };
  let status: number | undefined;
  try {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    status = reply.status;
    if (reply.ok) return String(((await reply.json()) as { value?: string }).value);
  } catch (error) {
    throw noToken('GitHub', nameOf((error as Error).cause ?? error), true);
  }
  throw noToken('GitHub', `status ${status}`, isFailure(status));
};

// Not a dependency: Lambda has it, and only callers on AWS need it.
const STS = '@aws-sdk/client-sts';

type Sts = typeof import('@aws-sdk/client-sts');
let sts: InstanceType<Sts['STSClient']> | undefined;

const fromAws = async (audience: string): Promise<string> => {
  try {
    const { STSClient, GetWebIdentityTokenCommand }: Sts = await import(STS);
    const request = { Audience: [audience], SigningAlgorithm: 'ES384', DurationSeconds: 900 };
    sts ??= new STSClient({ maxAttempts: 1 });
    const abortSignal = AbortSignal.timeout(TIMEOUT_MS);
    const { WebIdentityToken } = await sts.send(new GetWebIdentityTokenCommand(request), { abortSignal });
    return WebIdentityToken ?? '';
  } catch (error) {
    const name = nameOf(error);
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    const isRefused = $metadata !== undefined && !isFailure($metadata.httpStatusCode ?? 500);
    const isSettled = name === 'ERR_MODULE_NOT_FOUND' || (isRefused && !/throttl/i.test(name));
    throw noToken(STS, name, !isSettled);
  }
};

const platformToken = (audience: string): TokenProvider => {
  // The platform replaces the file before its token expires.
  const file = 'CUEVAULT_IDENTITY_TOKEN_FILE';
  if (environmentVariable(file) !== undefined) return () => fileOf(file) ?? '';
  const token = environmentVariable('CUEVAULT_IDENTITY_TOKEN');
  if (token !== undefined) return () => token.trim();
  const address = environmentVariable('ACTIONS_ID_TOKEN_REQUEST_URL');
  const requestToken = environmentVariable('ACTIONS_ID_TOKEN_REQUEST_TOKEN');
  if (address !== undefined && requestToken !== undefined)
    return kept(() => fromGitHub(address, requestToken, audience));
  if (['AWS_REGION', 'AWS_DEFAULT_REGION'].some((name) => environmentVariable(name) !== undefined))
    return kept(() => fromAws(audience));
  throw refuse(
    'CUEVAULT_TRUST is set, but there is no token: set CUEVAULT_IDENTITY_TOKEN_FILE or CUEVAULT_IDENTITY_TOKEN; on GitHub, give the job "permissions: id-token: write"; on AWS, set AWS_REGION.',
  );
};

let lastToken: string | undefined;

const checked =
  (provider: TokenProvider): TokenProvider =>
  async () => {
    const token = await provider();
    if (!isHeaderText(token)) throw refuse('The identity token is empty or contains invalid characters.');
    lastToken = token;
    return token;
  };

/** Every credential that this process holds, the last token included. Errors: `configuration`. */
export const heldCredentials = (): string[] => {
  const held = PROOF_VARIABLES.map((name) => (name.endsWith('_FILE') ? fileOf : environmentVariable)(name));
  return [...held, lastToken].filter((credential) => credential !== undefined);
};

const OFFLINE_KEY_CHARACTERS = 32;

/** Whose copies those of a trust are. Errors: `configuration`. */
const ownerOfTrust = (audience: string | undefined): string => {
  const key = environmentVariable('CUEVAULT_OFFLINE_KEY');
  if (key === undefined || audience === undefined) return '';
  if ([...key].length >= OFFLINE_KEY_CHARACTERS) return `${audience}\n${key}`;
  throw refuse(
    `CUEVAULT_OFFLINE_KEY must have at least ${OFFLINE_KEY_CHARACTERS} characters: openssl rand -base64 32 makes one.`,
  );
};

/**
 * The credential: an API key, or a function that returns a token; by default an API key of the environment or, if
 * `CUEVAULT_TRUST` names the audience of a trust, a token of the platform. Errors: `configuration`.
 */
export const resolveCredential = (given?: string | TokenProvider): Credential => {
  const audience = environmentVariable('CUEVAULT_TRUST');
  if (typeof given === 'function') return { owner: ownerOfTrust(audience), bearer: checked(given) };
  if (given === undefined && audience !== undefined) {
    if (environmentVariable('CUEVAULT_API_KEY') !== undefined)
      throw refuse('CUEVAULT_TRUST and CUEVAULT_API_KEY are both set: remove the one that is not meant.');
    return { owner: ownerOfTrust(audience), bearer: checked(platformToken(audience)) };
  }
  const apiKey = resolveApiKey(given);
  return { owner: apiKey, bearer: () => apiKey };
};

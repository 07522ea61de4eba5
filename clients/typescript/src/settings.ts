import { CuevaultError } from './errors.ts';
import { builtin, environmentVariable } from './platform.ts';

const DEFAULT_URL = 'http://localhost:3000';

/** Whether a value is text and not empty; callers without types can pass anything. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The error for settings that cannot work. */
export const refuse = (message: string) => new CuevaultError(message, { code: 'configuration' });

const checked = (option: string, value: number, isRight: boolean, rule: string): number => {
  if (Number.isFinite(value) && isRight) return value;
  throw refuse(`${option} must be ${rule}.`);
};

/** The same number. Errors: `configuration` unless it is finite and above 0. */
export const positive = (option: string, value: number): number =>
  checked(option, value, value > 0, 'a number above 0');

/** The same number. Errors: `configuration` unless it is finite and not negative. */
export const notNegative = (option: string, value: number): number =>
  checked(option, value, value >= 0, 'a number, 0 or above');

/** The same number. Errors: `configuration` unless it is a whole number of at least `least`. */
export const integer = (option: string, value: number, least: number): number =>
  checked(option, value, Number.isSafeInteger(value) && value >= least, `a whole number, ${least} or above`);

/** Whether text fits into a header: the runtime's own error would show the key. */
export const isHeaderText = (text: unknown): text is string =>
  typeof text === 'string' && /^[!-~]+$/.test(text);

// RFC 6761 and RFC 1122: these names and addresses never leave the machine.
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Whether the environment accepts `http://` to another machine. */
export const insecureAllowed = (): boolean =>
  /^(1|true)$/i.test(environmentVariable('CUEVAULT_ALLOW_INSECURE_HTTP') ?? '');

/**
 * The address of the service without a slash at its end: `url`, else `CUEVAULT_URL`, else `http://localhost:3000`.
 * `http://` to another machine only if `allowInsecureHttp`, else `CUEVAULT_ALLOW_INSECURE_HTTP`, says so.
 * Errors: `configuration`.
 */
export const resolveUrl = (url?: string | null, allowInsecureHttp?: boolean): string => {
  const given = url ?? environmentVariable('CUEVAULT_URL') ?? DEFAULT_URL;
  if (!/^https?:\/\//i.test(given.trim())) {
    throw refuse(
      'The address of Cuevault (url, or CUEVAULT_URL) must begin with https://, or http:// on this machine, such as http://localhost:3000.',
    );
  }
  const parsed = URL.canParse(given) ? new URL(given) : undefined;
  // A path is appended to the address: query and fragment would be lost.
  if (!/^https?:[^?#]+$/.test(parsed?.href ?? '') || parsed?.username !== '' || parsed.password !== '') {
    throw refuse(
      'The address of Cuevault (url, or CUEVAULT_URL) must be like https://vault.example.com, without user name, query or fragment.',
    );
  }
  if (parsed.protocol === 'http:' && !isLoopback(parsed) && !(allowInsecureHttp ?? insecureAllowed())) {
    throw refuse(
      'The address of Cuevault begins with http:// and is on another machine, so the API key and all secrets would ' +
        'travel unencrypted. Use https://, or allow this with allowInsecureHttp.',
    );
  }
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '');
};

/** The content of the file that a variable names, undefined if it is not set. Errors: `configuration`. */
export const fileOf = (variable: string): string | undefined => {
  const file = environmentVariable(variable);
  if (file === undefined) return undefined;
  const fs = builtin<typeof import('node:fs')>('node:fs');
  if (fs === undefined) throw refuse(`This runtime cannot read the file of ${variable}.`);
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw refuse(`The file of ${variable} cannot be read (${(error as { code?: string }).code}).`);
  }
};

/**
 * The API key: `apiKey`, else `CUEVAULT_API_KEY`, else the content of the file that `CUEVAULT_API_KEY_FILE` names.
 * Errors: `configuration`.
 */
export const resolveApiKey = (apiKey?: string): string => {
  const given: unknown = apiKey ?? environmentVariable('CUEVAULT_API_KEY') ?? fileOf('CUEVAULT_API_KEY_FILE');
  if (given === undefined) {
    throw refuse(
      'The API key is missing: pass apiKey, or set CUEVAULT_API_KEY, or CUEVAULT_API_KEY_FILE to a file that contains it.',
    );
  }
  // Files and pasted values often end with a line break.
  const key = typeof given === 'string' ? given.trim() : given;
  if (!isHeaderText(key)) {
    throw refuse('The API key (apiKey, or CUEVAULT_API_KEY) is empty or contains invalid characters.');
  }
  return key;
};

const DEFAULT_ENVIRONMENT = 'default';

/**
 * The environment whose secrets are meant: `environment`, else `CUEVAULT_ENVIRONMENT`; undefined for `default`. Errors:
 * `configuration`.
 */
export const resolveEnvironment = (environment?: string): string | undefined => {
  const name: unknown = environment ?? environmentVariable('CUEVAULT_ENVIRONMENT');
  if (name !== undefined && !isText(name)) throw refuse('environment must be the name of an environment.');
  return name === DEFAULT_ENVIRONMENT ? undefined : name;
};

/** The label of calls without one that the environment of this process names; `default` names none. */
export const labelVariable = (): string | undefined =>
  environmentVariable('CUEVAULT_LABEL') ?? resolveEnvironment();

interface CallLimits {
  readonly timeoutMs?: number | undefined;
  readonly ttlMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks the limits of a call. Errors: `configuration`; the reason of a signal that is aborted already. */
export const checkCall = ({ timeoutMs, ttlMs, maxRetries, signal }: CallLimits): void => {
  positive('timeoutMs', timeoutMs ?? 1);
  notNegative('ttlMs', ttlMs ?? 0);
  integer('maxRetries', maxRetries ?? 0, 0);
  signal?.throwIfAborted();
};

/** The names of all options of a function. */
export type Names<Options> = { readonly [name in keyof Options]-?: true };

/**
 * Checks options: a misspelled or empty filter would return more than was meant. `within` is what names them before a dot.
 * Errors: `configuration` for anything but an object, for unknown names, and for null.
 */
export const checkOptions = (options: unknown, names: object, within = ''): void => {
  if (typeof options !== 'object' || options === null) throw refuse('The options must be an object.');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(names, name))
      throw refuse(
        `There is no option ${JSON.stringify(name)}. The options are ${Object.keys(names).join(', ')}.`,
      );
    if (value === null)
      throw refuse(`The option ${JSON.stringify(within + name)} must not be null: leave it out.`);
  }
};

export const CONNECTION = {
  url: true,
  apiKey: true,
  allowInsecureHttp: true,
  timeoutMs: true,
  totalTimeoutMs: true,
  maxRetries: true,
  fetch: true,
} as const;

export const CALL = { timeoutMs: true, maxRetries: true, signal: true, ttlMs: true, fresh: true } as const;

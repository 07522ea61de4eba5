import { CuevaultError } from './errors.ts';

const DEFAULT_URL = 'http://localhost:3000';

// Workers have no `process`.
const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined;

/** What a caller may have left out in spite of the types. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const refuse = (message: string) => new CuevaultError(message, { code: 'configuration' });

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

/** The same number. Errors: `configuration` unless it is whole and `least` at least. */
export const whole = (option: string, value: number, least: number): number =>
  checked(option, value, Number.isSafeInteger(value) && value >= least, `a whole number, ${least} or above`);

/** What is not ASCII without blanks cannot stand in a header, and the runtime's own error would show the key. */
const isHeaderText = (text: unknown): text is string => typeof text === 'string' && /^[!-~]+$/.test(text);

const parse = (url: unknown): URL => {
  try {
    return new URL(url as string);
  } catch {
    throw refuse(
      'The address of Cuevault (url, or CUEVAULT_URL) is not a URL such as https://vault.example.com.',
    );
  }
};

/**
 * The address of the service without a slash at its end: `url`, else `CUEVAULT_URL`, else `http://localhost:3000`.
 * Errors: `configuration`.
 */
export const resolveUrl = (url?: string | null): string => {
  const parsed = parse(url ?? environment('CUEVAULT_URL') ?? DEFAULT_URL);
  if (!/^https?:$/.test(parsed.protocol)) {
    throw refuse('The address of Cuevault must begin with https:// or http://.');
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw refuse(
      'The address of Cuevault must not hold a user name or password; give the API key as apiKey.',
    );
  }
  // A path is put behind the address: these would be lost in silence.
  if (/[?#]/.test(parsed.href)) throw refuse('The address of Cuevault must not hold a query or a fragment.');
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '');
};

/** The API key: `apiKey`, else `CUEVAULT_API_KEY`. Errors: `configuration`. */
export const resolveApiKey = (apiKey?: string | null): string => {
  const key = apiKey ?? environment('CUEVAULT_API_KEY');
  if (key === undefined) {
    throw refuse('There is no API key: give apiKey, or set the environment variable CUEVAULT_API_KEY.');
  }
  if (!isHeaderText(key)) {
    throw refuse(
      'The API key (apiKey, or CUEVAULT_API_KEY) is empty or holds blanks or other characters that no key has.',
    );
  }
  return key;
};

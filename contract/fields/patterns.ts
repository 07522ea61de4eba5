/** A version, exactly MAJOR.MINOR.PATCH. Its parts have up to nine digits each, see `LIMITS.versionPart`. */
export const VERSION_PATTERN = /^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){2}$/;

/** A repository: 1 to 10 segments, the first of which can be a host. */
export const REPOSITORY_PATTERN = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*){0,9}$/;

/** The full hash of a commit: SHA-1 or SHA-256. */
export const COMMIT_PATTERN = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** The key of a secret: neither "=" nor control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it rejects control characters
export const SECRET_KEY_PATTERN = /^[^\u0000-\u001f\u007f-\u009f=]+$/;

/** A JSON object as sent, including own properties such as `__proto__`. */
export type JsonObject = { readonly [name: string]: unknown };

/** Whether a value is an object of JSON. Apart from the schemas, which neither the admin UI nor the npm client loads. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether a prompt's name is one of `patterns`, or begins like a pattern that ends in `*`.
 * No pattern at all matches every name.
 */
export const matchesPromptPatterns = (patterns: readonly string[], name: string): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );

/** The environment of calls that name none. */
export const DEFAULT_ENVIRONMENT = 'default';

/** Whether an environment of this name is critical until administrators say otherwise. */
export const isCriticalName = (environment: string): boolean => environment.startsWith('prod');

/** Whether these environments include one. */
export const coversEnvironment = (environments: readonly string[] | undefined, name: string): boolean =>
  (environments ?? [DEFAULT_ENVIRONMENT]).some((each) => each === name || each === '*');

/** An e-mail address in printable ASCII: of other letters, some look the same or are folded to the same. */
export const EMAIL = /^[!-?A-~]{1,200}@[!-?A-~]{1,200}$/;

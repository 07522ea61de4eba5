import data from '../../../../contract/environment-names.json' with { type: 'json' };
import { CuevaultError } from '../errors.ts';

export interface EnvironmentRules {
  /** Dangerous names to set nevertheless, in any case. */
  readonly allow?: readonly string[] | undefined;
  /** Ignore case in names, as Windows does. @default what this machine does */
  readonly windows?: boolean | undefined;
}

/** A secret that does not become an environment variable, and why. */
export interface Unset {
  readonly name: string;
  readonly reason: string;
}

type Environment = Record<string, string | undefined>;

const runtime = () =>
  (globalThis as { process?: { env?: Environment; platform?: string } }).process ?? { platform: '' };

/** Why a name is not set although a variable can have it, or undefined; `allow` are names to set nevertheless. */
export const dangerOf = (name: string, allow: readonly string[]): string | undefined => {
  const upper = name.toUpperCase();
  if (upper.startsWith(data.own)) return 'a setting of Cuevault';
  if (data.harmless.includes(upper) || allow.some((each) => each.toUpperCase() === upper)) return undefined;
  const isDangerous = data.names.includes(upper) || data.prefixes.some((each) => upper.startsWith(each));
  return isDangerous ? 'the name can change what programs do' : undefined;
};

const invalidityOf = (name: string, value: unknown): string | undefined => {
  if (name === '') return 'the name is empty';
  if (/[=\0]/.test(name)) return 'the name contains "=" or NUL';
  if (!name.isWellFormed()) return 'the name is not well-formed Unicode';
  if (typeof value !== 'string') return 'the value is not a string';
  if (value.includes('\0')) return 'the value contains NUL';
  if (!value.isWellFormed()) return 'the value is not well-formed Unicode';
  return undefined;
};

/** The secrets that must not or cannot be environment variables; see test/vectors/environment.json. */
export const unsetOf = (
  secrets: { readonly [name: string]: unknown },
  { allow = [], windows = runtime().platform === 'win32' }: EnvironmentRules = {},
): Unset[] => {
  const seen = new Set<string>();
  return Object.entries(secrets).flatMap(([name, value]) => {
    const upper = name.toUpperCase();
    const twice = windows && seen.has(upper) ? 'another name differs only in case' : undefined;
    seen.add(upper);
    const reason = invalidityOf(name, value) ?? twice ?? dangerOf(name, allow);
    return reason === undefined ? [] : [{ name, reason }];
  });
};

/**
 * Sets the secrets as environment variables of this process, except those of `unsetOf`. Returns their names.
 * Errors: CuevaultError `configuration` if there is no environment.
 */
export const setEnvironment = (
  secrets: { readonly [name: string]: string },
  rules: EnvironmentRules = {},
): string[] => {
  const { env } = runtime();
  if (env === undefined) {
    throw new CuevaultError('This runtime has no environment variables to set.', { code: 'configuration' });
  }
  const unset = unsetOf(secrets, rules).map(({ name }) => name);
  for (const [name, value] of Object.entries(secrets)) if (!unset.includes(name)) env[name] = value;
  return unset;
};

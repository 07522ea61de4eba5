import { CuevaultError } from '../errors.ts';

// Names that decide which code programs load or run, or where they connect. The list is one for all clients:
// test/vectors/environment.json. `*` stands for the rest of a name.
const DANGEROUS = (
  'CUEVAULT_* PATH PATHEXT HOME USERPROFILE SHELL COMSPEC IFS PAGER MANPAGER EDITOR VISUAL BROWSER LESSOPEN ' +
  'LESSCLOSE LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH HOSTALIASES OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES ' +
  'ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR FPATH INPUTRC NODE_* NPM_CONFIG_* ' +
  'BUN_OPTIONS PYTHON* PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT LUA_PATH* LUA_CPATH* LUA_INIT* ' +
  'PHPRC PHP_INI_SCAN_DIR CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS ' +
  'CORECLR_PROFILER_PATH GIT_* *_PROXY SSL_* *_CA_BUNDLE AWS_ENDPOINT_URL* AWS_CONFIG_FILE ' +
  'AWS_SHARED_CREDENTIALS_FILE AWS_CONTAINER_CREDENTIALS_* AWS_EC2_METADATA_*'
).split(' ');
// Credentials with names of these families.
const EXCEPTIONS = 'NODE_ENV NODE_AUTH_TOKEN GIT_TOKEN GIT_USERNAME GIT_PASSWORD LD_SDK_KEY'.split(' ');
// The address and the API key of the program itself: a secret must not replace them.
const OWN = 'CUEVAULT_';

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

const matches = (entry: string, name: string): boolean => {
  const [start = '', end] = entry.split('*');
  return end === undefined ? name === entry : name.startsWith(start) && name.endsWith(end);
};

const dangerOf = (name: string, allowed: readonly string[]): string | undefined => {
  if (name.startsWith(OWN)) return 'a setting of Cuevault';
  if (allowed.includes(name) || EXCEPTIONS.includes(name)) return undefined;
  return DANGEROUS.some((entry) => matches(entry, name)) ? 'the name can change what programs do' : undefined;
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
  const allowed = allow.map((name) => name.toUpperCase());
  const seen = new Set<string>();
  return Object.entries(secrets).flatMap(([name, value]) => {
    const upper = name.toUpperCase();
    const twice = windows && seen.has(upper) ? 'another name differs only in case' : undefined;
    seen.add(upper);
    const reason = invalidityOf(name, value) ?? twice ?? dangerOf(upper, allowed);
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

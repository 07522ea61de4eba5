import { CuevaultError } from '../errors.ts';

// Names that change which code other programs load or run. The list is one for all clients:
// test/vectors/environment.json. An entry that ends in * is the start of a name.
const DANGEROUS = (
  'PATH PATHEXT COMSPEC SHELL IFS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT GLIBC_TUNABLES GCONV_PATH DYLD_* ' +
  'ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR ' +
  'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED BUN_OPTIONS ' +
  'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONWARNINGS ' +
  'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT LUA_PATH LUA_CPATH LUA_INIT PHPRC PHP_INI_SCAN_DIR ' +
  'CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH ' +
  'GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_ASKPASS'
).split(' ');

const STARTS = DANGEROUS.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));

export interface EnvironmentRules {
  /** Set also names that change how programs load code, such as PATH. @default false */
  readonly allowDangerousNames?: boolean | undefined;
  /** Ignore case in names, as Windows does. @default what this machine does */
  readonly windows?: boolean | undefined;
}

interface Offender {
  readonly name: string;
  readonly reason: string;
}

type Environment = Record<string, string | undefined>;

const runtime = () =>
  (globalThis as { process?: { env?: Environment; platform?: string } }).process ?? { platform: '' };

const isDangerous = (name: string): boolean =>
  DANGEROUS.includes(name) || STARTS.some((start) => name.startsWith(start));

const reasonAgainst = (name: string, value: unknown, allowed: boolean): string | undefined => {
  if (name === '') return 'the name is empty';
  if (/[=\0]/.test(name)) return 'the name contains "=" or NUL';
  if (!name.isWellFormed()) return 'the name is not well-formed Unicode';
  if (typeof value !== 'string') return 'the value is not a string';
  if (value.includes('\0')) return 'the value contains NUL';
  if (!value.isWellFormed()) return 'the value is not well-formed Unicode';
  if (!allowed && isDangerous(name)) return 'the name changes how programs load code; it must be allowed';
  return undefined;
};

/** The secrets that cannot be set as environment variables, each with the reason; see test/vectors/environment.json. */
export const offendersOf = (
  secrets: { readonly [name: string]: unknown },
  { allowDangerousNames = false, windows = runtime().platform === 'win32' }: EnvironmentRules = {},
): Offender[] => {
  const seen = new Set<string>();
  return Object.entries(secrets).flatMap(([name, value]) => {
    const spelled = windows ? name.toUpperCase() : name;
    const twice = seen.has(spelled) ? 'another name differs only in case' : undefined;
    seen.add(spelled);
    const reason =
      reasonAgainst(name, value, true) ?? twice ?? reasonAgainst(spelled, value, allowDangerousNames);
    return reason === undefined ? [] : [{ name, reason }];
  });
};

/**
 * Refuses secrets that cannot be set as environment variables.
 * Errors: CuevaultError `configuration` that names every offender.
 */
export const checkEnvironment = (
  secrets: { readonly [name: string]: unknown },
  rules: EnvironmentRules = {},
): void => {
  const offenders = offendersOf(secrets, rules);
  if (offenders.length === 0) return;
  const list = offenders.map(({ name, reason }) => `${JSON.stringify(name)} (${reason})`).join(', ');
  throw new CuevaultError(`Nothing was set. These secrets cannot be environment variables: ${list}.`, {
    code: 'configuration',
  });
};

/**
 * Sets every secret as an environment variable of this process, or none.
 * Errors: CuevaultError `configuration` that names every offender.
 */
export const setEnvironment = (
  secrets: { readonly [name: string]: string },
  rules: EnvironmentRules = {},
): void => {
  const { env } = runtime();
  if (env === undefined) {
    throw new CuevaultError('This runtime has no environment variables to set.', { code: 'configuration' });
  }
  checkEnvironment(secrets, rules);
  for (const [name, value] of Object.entries(secrets)) env[name] = value;
};

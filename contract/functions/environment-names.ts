// Names that decide which code programs load or run, or where they connect; test/vectors/environment.json has them for all
// clients. `*` stands for the rest of a name.
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

/** Names that are dangerous as environment variables; in an entry, `*` stands for the rest of a name. */
export const DANGEROUS_NAMES: readonly string[] = DANGEROUS;

/** Names that an entry of `DANGEROUS_NAMES` matches, but that are harmless. */
export const HARMLESS_NAMES: readonly string[] = EXCEPTIONS;

const matches = (entry: string, name: string): boolean => {
  const [start = '', end] = entry.split('*');
  return end === undefined ? name === entry : name.startsWith(start) && name.endsWith(end);
};

/**
 * Whether an environment variable of this name, in any case, decides which code programs load or run, or where they
 * connect. The clients do not set it unless they are told to.
 */
export const isDangerousName = (name: string): boolean => {
  const upper = name.toUpperCase();
  return !EXCEPTIONS.includes(upper) && DANGEROUS.some((entry) => matches(entry, upper));
};

/** Whether a POSIX shell can assign and read a variable of this name (POSIX.1-2024, XBD 3.216 "Name"). */
export const isShellName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

// Names that change which code other programs load or run. An entry that ends in * is a prefix.
const DANGEROUS = (
  'PATH PATHEXT COMSPEC SHELL IFS LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT GLIBC_TUNABLES GCONV_PATH DYLD_* ' +
  'ENV BASH_ENV BASH_FUNC_* BASHOPTS SHELLOPTS PROMPT_COMMAND PS4 ZDOTDIR ' +
  'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED BUN_OPTIONS ' +
  'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONBREAKPOINT PYTHONINSPECT PYTHONWARNINGS ' +
  'PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYLIB RUBYOPT LUA_PATH LUA_CPATH LUA_INIT PHPRC PHP_INI_SCAN_DIR ' +
  'CLASSPATH JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH ' +
  'GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_ASKPASS'
).split(' ');

/** Names that are dangerous as environment variables; an entry that ends in `*` is a prefix. */
export const DANGEROUS_NAMES: readonly string[] = DANGEROUS;

/** Whether an environment variable of this name changes which code programs load or run. Case-sensitive. */
export const isDangerousName = (name: string): boolean =>
  DANGEROUS.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));

/** Whether a POSIX shell can assign and read a variable of this name (POSIX.1-2024, XBD 3.216 "Name"). */
export const isShellName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

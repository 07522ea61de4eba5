import data from '../environment-names.json' with { type: 'json' };

const PATTERNS = data.patterns.map((pattern) => new RegExp(pattern));

/**
 * Whether an environment variable of this name, in any case, decides which code programs load or run, or where they
 * connect. The clients do not set it unless they are told to.
 */
export const isDangerousName = (name: string): boolean => {
  const upper = name.toUpperCase();
  if (data.harmless.includes(upper)) return false;
  return data.names.includes(upper) || [data.own, ...data.prefixes].some((each) => upper.startsWith(each));
};

/** Whether only an administrator creates a secret of this name: it is dangerous, or its form is that of such names. */
export const needsAdministrator = (name: string): boolean =>
  isDangerousName(name) || PATTERNS.some((pattern) => pattern.test(name.toUpperCase()));

/** Whether a POSIX shell can assign and read a variable of this name (POSIX.1-2024, XBD 3.216 "Name"). */
export const isShellName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

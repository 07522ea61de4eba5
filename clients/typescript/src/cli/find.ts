import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { delimiter, join, win32 } from 'node:path';
import { CliError, EXIT, wrongUsage } from './exit-codes.ts';

export type Environment = { readonly [name: string]: string | undefined };

/** The name by which the system knows a variable: Windows ignores case. */
const known = (name: string): string => (process.platform === 'win32' ? name.toUpperCase() : name);

/** The value of a variable in an environment. */
export const valueIn = (env: Environment, name: string): string | undefined =>
  Object.entries(env).find(([other]) => known(other) === known(name))?.[1];

/** An environment without the variables of these names. */
export const withoutNames = (env: Environment, names: readonly string[]): Environment => {
  const gone = new Set(names.map(known));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !gone.has(known(name))));
};

/** Whether a file may be executed by this user. */
export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Where a command can be, in the order of the search. */
export const commandPaths = (command: string, env: Environment): string[] =>
  command.includes('/')
    ? [command]
    : (env.PATH ?? '/usr/bin:/bin').split(delimiter).map((folder) => join(folder || '.', command));

/** The error for a command that does not exist. */
export const noSuchCommand = (command: string): CliError =>
  new CliError(`There is no command ${command}.`, EXIT.noSuchCommand);

/** Checks that a command is an executable program. Errors: CliError `noSuchCommand`, `cannotRun`. */
export const checkCommand = (command: string, env: Environment): void => {
  const paths = commandPaths(command, env);
  if (paths.some(isExecutable)) return;
  if (paths.some(exists)) throw new CliError(`The command ${command} cannot be run.`, EXIT.cannotRun);
  throw noSuchCommand(command);
};

const HEADER_BYTES = 4096;
const PT_INTERP = 3;
const MOST_INTERPRETERS = 4;

const headerOf = (path: string): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    return header.subarray(0, readSync(file, header));
  } finally {
    closeSync(file);
  }
};

/** The loader that a 64-bit ELF file names. Errors: RangeError if its table is not in the header. */
const loaderOf = (elf: Buffer): string | undefined => {
  const start = Number(elf.readBigUInt64LE(32));
  const size = elf.readUInt16LE(54);
  for (let at = start, left = elf.readUInt16LE(56); left > 0; at += size, left--) {
    if (elf.readUInt32LE(at) !== PT_INTERP) continue;
    const offset = Number(elf.readBigUInt64LE(at + 8));
    elf.readUInt8(offset);
    return elf.toString('latin1', offset, elf.indexOf(0, offset));
  }
  return undefined;
};

const isLoadable = (path: string, level = 0): boolean => {
  try {
    if (level > MOST_INTERPRETERS || !isExecutable(path)) return false;
    const header = headerOf(path);
    const own = headerOf(process.execPath);
    const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(header.toString('latin1'))?.[1];
    if (interpreter !== undefined) return isLoadable(interpreter, level + 1);
    // ELF: magic number, class and byte order, then the machine.
    const isAlike = [[0, 6] as const, [18, 20] as const].every(([from, to]) =>
      header.subarray(from, to).equals(own.subarray(from, to)),
    );
    const loader = isAlike ? loaderOf(header) : undefined;
    return isAlike && (loader === undefined || isExecutable(loader));
  } catch {
    return false;
  }
};

/**
 * The file of a command if the system certainly runs it: a program for this machine with an existing loader, or a script
 * for one. Undefined if that is not certain, as on macOS.
 */
export const certainFile = (command: string, env: Environment): string | undefined => {
  const file = commandPaths(command, env).find(isExecutable);
  return file !== undefined && isLoadable(file) ? file : undefined;
};

// Like cross-spawn 7: what cmd.exe acts on gets a ^, for the scripts in node_modules/.bin twice, as those pass it on.
const META = /[()\][%!^"`<>&|;, *?]/g;
const SHIM = /node_modules[\\/].bin[\\/][^\\/]+\.cmd$/i;

const escapedMeta = (text: string): string => text.replace(META, '^$&');

const escapedArgument = (text: string, isShim: boolean): string => {
  const quoted = `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
  return isShim ? escapedMeta(escapedMeta(quoted)) : escapedMeta(quoted);
};

/** How a process starts. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether Windows gets the arguments as they are. */
  readonly windowsVerbatimArguments?: boolean;
}

/**
 * How Windows starts a command, which is found by PATH and PATHEXT: scripts through cmd.exe, everything else without a
 * shell. Errors: CliError `noSuchCommand`; `usage` for line breaks, which cmd.exe cannot pass on.
 */
export const windowsStart = (
  command: string,
  args: readonly string[],
  env: Environment,
  isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
): Start => {
  const folders = /[\\/:]/.test(command) ? [''] : (valueIn(env, 'PATH') ?? '').split(win32.delimiter);
  const extensions = (valueIn(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const has = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const file = folders
    .flatMap((folder) =>
      (has ? [''] : extensions).map((extension) => win32.join(folder, command + extension)),
    )
    .find(isFile);
  if (file === undefined) throw noSuchCommand(command);
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args };
  if (/[\r\n]/.test([file, ...args].join('')))
    throw wrongUsage(`The arguments of ${command} must not contain line breaks: it is a script of cmd.exe.`);
  const line = [escapedMeta(file), ...args.map((arg) => escapedArgument(arg, SHIM.test(file)))].join(' ');
  return {
    file: valueIn(env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
};

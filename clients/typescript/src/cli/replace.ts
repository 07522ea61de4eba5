import { head, isStartableElf } from './elf.ts';
import { type Environment, findCommand, isExecutable } from './find.ts';

/** An environment above this may not fit (macOS takes 1 MB): starting a child fails with a sentence, execve aborts. */
const SAFE_BYTES = 512 * 1024;
/** Linux takes no single text above 128 KB. */
const SAFE_TEXT_BYTES = 120 * 1024;

/** Mach-O, for one machine or for several. Programs of Linux are looked into: elf.ts. */
const MACH = ['cffaedfe', 'cafebabe', 'cefaedfe'];
/** So many scripts may be each other's interpreters. */
const SCRIPTS = 4;

// The kernel takes all up to a blank or line end for the interpreter, also a carriage return.
const interpreterIn = (bytes: Buffer): string | undefined =>
  /^#![ \t]*([^ \t\n]+)[ \t\n]/.exec(bytes.toString('latin1'))?.[1];

/** Whether the kernel itself certainly starts this file; the rest is left to what can also fail. */
const isStartable = (path: string, scripts = SCRIPTS): boolean => {
  try {
    const bytes = head(path);
    const interpreter = interpreterIn(bytes);
    if (interpreter !== undefined) {
      return scripts > 0 && isExecutable(interpreter) && isStartable(interpreter, scripts - 1);
    }
    if (process.platform === 'darwin') return MACH.includes(bytes.toString('hex', 0, 4));
    return isStartableElf(path);
  } catch {
    return false;
  }
};

const fits = (args: readonly string[], env: Environment): boolean => {
  const sizes = [...args, ...Object.entries(env).map((pair) => pair.join('='))].map((text) =>
    Buffer.byteLength(text),
  );
  return (
    sizes.every((size) => size < SAFE_TEXT_BYTES) && sizes.reduce((sum, size) => sum + size, 0) < SAFE_BYTES
  );
};

/**
 * Replaces this process by the command, where the platform can do so and nothing could go wrong half way (a failed
 * execve aborts Node); else returns, and the command is to be started as a child.
 * Errors: CliError `noSuchCommand`, `cannotRun`.
 */
export const replaceProcess = (command: string, args: readonly string[], env: Environment): void => {
  if (process.platform === 'win32' || process.execve === undefined) return;
  const path = findCommand(command, env);
  if (!isStartable(path) || !fits(args, env)) return;
  // Node ignores these two, and what is ignored stays so in the command; what has a handler is reset.
  for (const signal of ['SIGPIPE', 'SIGXFSZ'] as const) process.on(signal, () => undefined);
  process.execve(path, [command, ...args], env as NodeJS.ProcessEnv);
};

import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { escaped, visible } from '../../../../contract/content/visible.ts';
import { CliError, EXIT } from './exit-codes.ts';

/** The parts of the process that the command line uses, so that tests can replace them. */
export interface Terminal {
  /** Prints a text in which nothing acts on a terminal or a CI system. */
  readonly out: (text: string) => void;
  /** The same on standard error. */
  readonly err: (text: string) => void;
  /** Prints the bytes of a text, but to a terminal as `out` does. */
  readonly raw: (text: string) => void;
  readonly isTTY: boolean;
}

export const STDIN = 0;
export const STDOUT = 1;
export const STDERR = 2;
const PAUSE_MS = 10;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const pause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
};

// Neither process.stdout nor process.stdin is ever touched: Node would make the pipe behind it non-blocking, also for
// the command that shares it, and most programs treat that as a failure.
/** Writes bytes to standard output (1) or standard error (2). Errors: those of the system, EPIPE included. */
export const writeBytes = (file: 1 | 2, content: Uint8Array): void => {
  let left = content;
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(file, left));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause();
    }
  }
};

/** Whether the reader of the output has exited, as `head` does. */
export const isReaderGone = (error: unknown): boolean => codeOf(error) === 'EPIPE';

// Runners of CI systems obey these: GitHub's `::command::` at the beginning of a line, `##[command]` and `##vso[` anywhere.
const COMMANDS = /^[^\S\n]*::|##(?=\[|vso\[)/gm;

/** A text without what acts on a terminal or a CI system: such characters become escapes, which JSON reads back. */
export const inert = (text: string): string =>
  visible(text).replace(COMMANDS, (found) => found.slice(0, -1) + escaped(found.slice(-1)));

const out = (text: string): void => {
  try {
    writeBytes(STDOUT, Buffer.from(text));
  } catch (error) {
    if (isReaderGone(error)) throw error;
    throw new CliError(`The output cannot be written (${codeOf(error)}).`, EXIT.other);
  }
};

const err = (text: string): void => {
  try {
    writeBytes(STDERR, Buffer.from(inert(text)));
  } catch {
    // There is nowhere left to report it.
  }
};

/** The streams of this process. `out` throws CliError `other`, and what `isReaderGone` knows. */
export const processTerminal = (): Terminal => {
  const isTTY = isatty(STDOUT);
  return { out: (text) => out(inert(text)), err, raw: (text) => out(isTTY ? inert(text) : text), isTTY };
};

import { type Mode, writeWhole } from '../whole-file.ts';
import { CliError, EXIT } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Writes text to a file, whole, or to standard output if none is given. Errors: CliError `other`. */
export const writeOutput = async (
  text: string,
  file: string | undefined,
  terminal: Terminal,
  mode: Mode,
): Promise<void> => {
  if (file === undefined) return terminal.raw(text);
  try {
    await writeWhole(file, text, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${JSON.stringify(file)} cannot be written (${code}).`, EXIT.other);
  }
};

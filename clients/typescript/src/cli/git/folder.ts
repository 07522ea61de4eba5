import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  MOST_FILE_BYTES,
  type PromptFile,
  parsePromptFile,
  printPromptFile,
  SUFFIX,
} from '../../../../../contract/content/file/prompt-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { checkPaths, nameOf } from './paths.ts';

/** A prompt file of the folder. */
export interface LocalPrompt extends PromptFile {
  readonly name: string;
  /** From the folder, with `/`. */
  readonly path: string;
}

const pathsIn = (folder: string, below = ''): string[] =>
  readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below + entry.name;
    if (entry.name.startsWith('.')) return [];
    if (entry.isSymbolicLink())
      throw new CliError(`${JSON.stringify(path)} is a symbolic link; links are not followed.`, EXIT.usage);
    if (entry.isDirectory()) return pathsIn(folder, `${path}/`);
    return entry.name.endsWith(SUFFIX) ? [path] : [];
  });

const readPrompt = (folder: string, path: string): LocalPrompt => {
  const name = nameOf(path);
  try {
    if (statSync(join(folder, path)).size > MOST_FILE_BYTES)
      throw new Error(`A prompt file has at most ${MOST_FILE_BYTES} bytes.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(join(folder, path)));
    return { name, path, ...parsePromptFile(text) };
  } catch (error) {
    throw new CliError(`${JSON.stringify(path)}: ${(error as Error).message}`, EXIT.usage);
  }
};

/**
 * The prompts of a folder, sorted by path. Errors: CliError `usage` for symbolic links, files that cannot be read as
 * prompts, and paths that differ only in case.
 */
export const readFolder = (folder: string): LocalPrompt[] => {
  let paths: string[];
  try {
    paths = pathsIn(folder).sort();
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`The folder ${JSON.stringify(folder)} cannot be read (${code}).`, EXIT.usage);
  }
  checkPaths(paths);
  return paths.map((path) => readPrompt(folder, path));
};

/** Writes a prompt file. Errors: CliError `other`. */
export const writePrompt = (folder: string, { path, content, description }: LocalPrompt): void => {
  try {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), printPromptFile({ content, description }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${JSON.stringify(path)} cannot be written (${code}).`, EXIT.other);
  }
};

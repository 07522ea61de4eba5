import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  filePathOf,
  MOST_FILE_BYTES,
  MOST_PART_BYTES,
  type PromptFile,
  parsePromptFile,
  printPromptFile,
  SUFFIX,
} from '../../../../../contract/content/file/prompt-file.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The name of the prompt in the file with this path. Errors: CliError `usage` if no prompt has it. */
export const nameOf = (path: string): string => {
  const name = decoded(path.slice(0, -SUFFIX.length));
  const wanted = filePathOf(name);
  if (wanted === path) return name;
  const hint =
    wanted === undefined
      ? `A part of the name is empty or longer than ${MOST_PART_BYTES} bytes.`
      : `For the prompt ${JSON.stringify(name)}, rename it to ${JSON.stringify(wanted)}.`;
  throw wrongUsage(`${JSON.stringify(path)} cannot be the file of a prompt. ${hint}`);
};

/**
 * Checks that no two paths differ only in case, which on many systems are the same file or folder, and that no file is in
 * the place of a folder. Errors: CliError `usage`.
 */
export const checkPaths = (paths: Iterable<string>): void => {
  const files = new Set(paths);
  const spelled = new Map<string, string>();
  for (const path of files) {
    for (const { index } of path.matchAll(/\/|$/g)) {
      const at = path.slice(0, index);
      if (at !== path && files.has(at)) {
        const sentence = `${JSON.stringify(at)} cannot be both a file and a folder: rename one of the prompts.`;
        throw wrongUsage(sentence);
      }
      const other = spelled.get(at.toLowerCase());
      if (other !== undefined && other !== at) {
        const sentence = `${JSON.stringify(other)} and ${JSON.stringify(at)} differ only in case: rename one of the prompts.`;
        throw wrongUsage(sentence);
      }
      spelled.set(at.toLowerCase(), at);
    }
  }
};

/** A prompt file of the folder. */
export interface LocalPrompt extends PromptFile {
  readonly name: string;
  /** From the folder, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text?: string;
}

/** Where the file of a prompt names a fragment, as in its other errors: path, line and column. */
export const placeOf = ({ path, text = '' }: LocalPrompt, fragment = '\0'): string => {
  const at = text.indexOf(fragment, text.indexOf('includes:') + 9);
  const before = text.slice(0, at).split('\n');
  const place = `: Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  return JSON.stringify(path) + (at < 0 ? '' : place);
};

const pathsIn = (folder: string, below = ''): string[] =>
  readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below + entry.name;
    if (entry.name.startsWith('.')) return [];
    if (entry.isSymbolicLink())
      throw wrongUsage(`${JSON.stringify(path)} is a symbolic link; links are not followed.`);
    if (entry.isDirectory()) return pathsIn(folder, `${path}/`);
    return entry.name.endsWith(SUFFIX) ? [path] : [];
  });

const readPrompt = (folder: string, path: string): LocalPrompt => {
  const name = nameOf(path);
  try {
    if (statSync(join(folder, path)).size > MOST_FILE_BYTES)
      throw new Error(`A prompt file has at most ${MOST_FILE_BYTES} bytes.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(join(folder, path)));
    return { name, path, text, ...parsePromptFile(text) };
  } catch (error) {
    throw wrongUsage(`${JSON.stringify(path)}: ${(error as Error).message}`);
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
    throw wrongUsage(`The folder ${JSON.stringify(folder)} cannot be read (${code}).`);
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

import { isUtf8 } from 'node:buffer';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { controlAt } from '../../../../../contract/content/file/controls.ts';
import { refuseIn } from '../../../../../contract/content/file/error.ts';
import {
  filePathOf,
  MOST_FILE_BYTES,
  MOST_PART_BYTES,
  type PromptFile,
  parsePromptFile,
  printPromptFile,
  SUFFIX,
} from '../../../../../contract/content/file/prompt-file.ts';
import { codeOf, escaped } from '../../../../../contract/content/visible.ts';
import { quoted } from '../../wire.ts';
import { CliError, EXIT, wrongUsage } from '../exit-codes.ts';

/** The name in a path, in the form NFC as in the service: some systems write an accent as a separate character. */
const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path).normalize('NFC');
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
 * Why a path cannot be beside the earlier ones, by path: it differs from one only in case, and on many systems both are the
 * same file or folder, or a file is in the place of a folder.
 */
export const collisionsOf = (paths: Iterable<string>): Map<string, string> => {
  const files = new Set(paths);
  const spelled = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const path of files) {
    const parts = Array.from(path.matchAll(/\/|$/g), ({ index }) => path.slice(0, index));
    const place = parts.find((at) => at !== path && files.has(at));
    const twin = parts.flatMap((at) => {
      const other = spelled.get(at.toLowerCase());
      return other === undefined || other === at ? [] : [[other, at] as const];
    })[0];
    if (place !== undefined)
      problems.set(
        path,
        `${JSON.stringify(place)} cannot be both a file and a folder: rename one of the prompts.`,
      );
    else if (twin !== undefined)
      problems.set(
        path,
        `${quoted(twin).replace(', ', ' and ')} differ only in case: rename one of the prompts.`,
      );
    else for (const at of parts) spelled.set(at.toLowerCase(), at);
  }
  return problems;
};

/** A prompt file of the folder. */
export interface LocalPrompt extends PromptFile {
  readonly name: string;
  /** From the folder, with `/`. */
  readonly path: string;
  /** The whole file. */
  readonly text?: string;
}

/** A file that cannot be read as a prompt. */
export interface BadFile {
  /** The name of the prompt that it seems to be. */
  readonly name: string;
  readonly error: CliError;
}

/**
 * What is wrong with the characters of a file that is published: control characters hide lines from whoever reviews it, so
 * a file has them as escapes only.
 */
export const hiddenIn = ({ path, text = '' }: LocalPrompt): CliError[] => {
  const at = controlAt(text);
  if (at < 0) return [];
  try {
    return refuseIn(text)(
      `${codeOf(text[at] ?? '')} does not show. Remove it, or write "cuevault.escapes: true" in the header, and ${escaped(text[at] ?? '')} in its place.`,
      at,
    );
  } catch (error) {
    return [wrongUsage(`${JSON.stringify(path)}: ${(error as Error).message}`)];
  }
};

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
    const bytes = readFileSync(join(folder, path));
    if (!isUtf8(bytes)) throw new Error('It is not UTF-8. Save it in this encoding.');
    const text = new TextDecoder().decode(bytes);
    return { name, path, text, ...parsePromptFile(text) };
  } catch (error) {
    throw wrongUsage(`${JSON.stringify(path)}: ${(error as Error).message}`);
  }
};

/**
 * The prompts of a folder, sorted by path, and the files that are none: what cannot be read as a prompt, and paths that
 * differ only in case. Errors: CliError `usage` for symbolic links and a folder that cannot be read.
 */
export const readFolder = (folder: string): { files: LocalPrompt[]; bad: BadFile[] } => {
  let paths: string[];
  try {
    paths = pathsIn(folder).sort();
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw wrongUsage(`The folder ${JSON.stringify(folder)} cannot be read (${code}).`);
  }
  const collisions = collisionsOf(paths);
  const files: LocalPrompt[] = [];
  const bad: BadFile[] = [];
  for (const path of paths) {
    const collision = collisions.get(path);
    try {
      if (collision !== undefined) throw wrongUsage(collision);
      files.push(readPrompt(folder, path));
    } catch (error) {
      bad.push({ name: decoded(path.slice(0, -SUFFIX.length)), error: error as CliError });
    }
  }
  return { files, bad };
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

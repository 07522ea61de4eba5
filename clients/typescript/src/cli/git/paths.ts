import { filePathOf, MOST_PART_BYTES, SUFFIX } from '../../../../../contract/content/file/prompt-file.ts';
import { CliError, EXIT } from '../exit-codes.ts';

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
  throw new CliError(`${JSON.stringify(path)} cannot be the file of a prompt. ${hint}`, EXIT.usage);
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
        throw new CliError(sentence, EXIT.usage);
      }
      const other = spelled.get(at.toLowerCase());
      if (other !== undefined && other !== at) {
        const sentence = `${JSON.stringify(other)} and ${JSON.stringify(at)} differ only in case: rename one of the prompts.`;
        throw new CliError(sentence, EXIT.usage);
      }
      spelled.set(at.toLowerCase(), at);
    }
  }
};

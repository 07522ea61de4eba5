import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../aws/stack.ts';

const sentenceFor = (file: string, { code, message }: NodeJS.ErrnoException): string => {
  const folder = path.dirname(path.resolve(file));
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return `There is no ${existsSync(folder) ? `file ${file}` : `folder ${folder}`}. Check the path.`;
  if (code === 'EISDIR') return `${file} is a folder. Name a file.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `You do not have permission to open ${file}. Change its permissions or those of its folder, or name another file.`;
  return `${file} cannot be used: ${message}.`;
};

/** The error for a file that cannot be read or written: a sentence that says what is wrong with its path. */
export const fileError = (file: string, error: unknown): CommandError =>
  new CommandError(sentenceFor(file, error as NodeJS.ErrnoException));

/** The result of synchronous work on a file. Errors: `CommandError` about its path, whatever the work throws. */
export const onFile = <Result>(file: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    throw fileError(file, error);
  }
};

import { randomBytes } from 'node:crypto';
import { chmod, lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';

/** The mode of a new file, less what the umask takes away, and whether a file that exists keeps its own. */
export interface Mode {
  readonly mode: 0o600 | 0o666;
  readonly isKept: boolean;
}

/** For what only its user may read. */
export const PRIVATE: Mode = { mode: 0o600, isKept: false };

/** Writes a file completely or not at all; a link stays one, and a device or pipe is written to. */
export const writeWhole = async (path: string, text: string, { mode, isKept } = PRIVATE): Promise<void> => {
  const target = await realpath(path).catch(() => path);
  const existing = await lstat(target).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return writeFile(target, text);
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, text, { mode, flag: 'wx' });
    if (existing !== undefined && isKept) await chmod(draft, existing.mode);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

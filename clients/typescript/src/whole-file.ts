import { randomBytes } from 'node:crypto';
import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file with mode 0600, completely or not at all; a link stays one, and a device or pipe is written to. */
export const writeWhole = async (path: string, text: string): Promise<void> => {
  const target = await realpath(path).catch(() => path);
  const existing = await lstat(target).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return writeFile(target, text);
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

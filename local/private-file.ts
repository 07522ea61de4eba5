import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Creates a file if it does not exist, and lets only its owner read it. An existing one is not opened. */
export const ensurePrivate = (file: string): void => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  chmodSync(file, OWNER_ONLY);
};

/** Replaces a file that only its owner can read. After a power failure, it has either content. */
export const replacePrivate = (file: string, content: string | Uint8Array): void => {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: OWNER_ONLY, flag: 'wx', flush: true });
  renameSync(draft, file);
};

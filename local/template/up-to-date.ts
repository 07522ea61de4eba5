import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Something that is made of sources, and made anew when one of them, or what was made, has changed. */
export interface Part {
  readonly name: string;
  /** Patterns of files, relative to the root. */
  readonly sources: readonly string[];
  readonly outputs: readonly string[];
  readonly make: () => void;
}

const fingerprint = (root: string, patterns: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
};

/** Makes a part unless it is as the last time made it, of the sources that there are now. One process at a time. */
export const bringUpToDate = (root: string, { name, sources, outputs, make }: Part): void => {
  const stamp = path.join(root, 'dist', `.${name}`);
  const from = fingerprint(root, sources);
  const state = (): string => `${from} ${fingerprint(root, outputs)}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return;
  // Whoever is killed from here on leaves no stamp that vouches for half of it.
  rmSync(stamp, { force: true });
  make();
  writeFileSync(stamp, state());
};

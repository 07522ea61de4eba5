import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** An output that is built from sources, and rebuilt when a source or the output has changed. */
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

/** Builds a part unless it is up to date. One process at a time. */
export const bringUpToDate = (root: string, { name, sources, outputs, make }: Part): void => {
  const stamp = path.join(root, 'dist', `.${name}`);
  const from = fingerprint(root, sources);
  const state = (): string => `${from} ${fingerprint(root, outputs)}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return;
  // A build that is killed from here on leaves no stamp for an incomplete output.
  rmSync(stamp, { force: true });
  make();
  writeFileSync(stamp, state());
};

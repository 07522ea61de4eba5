import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockFile } from '../file-lock.ts';
import { StartError } from '../start-error.ts';

/** An output that is built from sources, and rebuilt when a source or the output has changed. */
export interface Part {
  readonly name: string;
  /** What is built, as a person is told. */
  readonly title: string;
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

/** Builds a part unless it is up to date. One process at a time. Returns how many files were built. */
export const bringUpToDate = (root: string, { name, sources, outputs, make }: Part): number => {
  const stamp = path.join(root, 'dist', `.${name}`);
  const from = fingerprint(root, sources);
  const state = (): string => `${from} ${fingerprint(root, outputs)}`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state()) return 0;
  // A build that is killed from here on leaves no stamp for an incomplete output.
  rmSync(stamp, { force: true });
  make();
  writeFileSync(stamp, state());
  return globSync(outputs, { cwd: root }).length;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = path.join(ROOT, 'dist');
const MAX_WAIT_MS = 300_000;

/** `local` is what this machine runs, and `deployment` what AWS does: the same handlers, built in two ways. */
export type Bundles = 'local' | 'deployment';

const FOLDERS = { local: 'local', deployment: 'lambdas' } satisfies Record<Bundles, string>;

export const bundleOf = (operationId: string, bundles: Bundles): string =>
  path.join(DIST, FOLDERS[bundles], operationId, 'index.mjs');

const run = (script: string, args: readonly string[] = []): void => {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (done.status !== 0) throw new StartError(`${script} failed: ${(done.stderr || done.stdout).trim()}`);
};

const LOCK = 'package-lock.json';

const SITE: Part = {
  name: 'site',
  title: 'the admin site',
  sources: [LOCK, 'admin-ui/*.{ts,html,json}', 'admin-ui/{public,src}/**/*.*', 'contract/**/*.ts'],
  outputs: ['admin-ui/dist/**/*.*'],
  make: () => run('node_modules/vite/bin/vite.js', ['build', 'admin-ui', '--logLevel', 'warn']),
};

const FUNCTIONS = (bundles: Bundles): Part => ({
  name: `functions-${bundles}`,
  title: 'the functions',
  sources: [LOCK, '{build,contract,lambdas}/**/*.ts'],
  outputs: [`dist/${FOLDERS[bundles]}/**/*.*`],
  make: () => run('build/bundle.ts', [`--${bundles}`]),
});

/** One process at a time: a concurrent start and test run would empty each other's folders. */
const withBuildLock = (work: () => void): void => {
  mkdirSync(DIST, { recursive: true });
  const release = lockFile(path.join(DIST, '.lock'), MAX_WAIT_MS);
  if (release === undefined)
    throw new StartError('Another process has been building for 5 minutes: stop it and start again.');
  try {
    work();
  } finally {
    release();
  }
};

const assembled = new Set<Bundles>();

/**
 * Builds the admin site and the bundles if a source has changed or another command has written to them; once per process. Errors: `StartError` with the output of the failed step.
 */
export const assemble = (bundles: Bundles = 'local'): void => {
  if (assembled.has(bundles)) return;
  // A container image has the outputs without their sources, and nothing in it can be written to.
  if (existsSync(path.join(ROOT, 'admin-ui/src')))
    withBuildLock(() => {
      for (const part of [SITE, FUNCTIONS(bundles)]) {
        const begun = performance.now();
        const files = bringUpToDate(ROOT, part);
        const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
        if (files > 0) process.stderr.write(`Built ${part.title} (${files} files) in ${seconds} s.\n`);
      }
    });
  assembled.add(bundles);
};

// npm run assemble [-- --deployment]
if (import.meta.main)
  try {
    assemble(process.argv.includes('--deployment') ? 'deployment' : 'local');
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }

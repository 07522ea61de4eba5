import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockFile } from '../file-lock.ts';
import { StartError } from '../start-error.ts';
import { bringUpToDate, type Part } from './up-to-date.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = path.join(ROOT, 'dist');
const MAX_WAIT_MS = 300_000;

export const bundleOf = (operationId: string): string => path.join(DIST, 'lambdas', operationId, 'index.mjs');

const run = (script: string, args: readonly string[] = []): void => {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, encoding: 'utf8' });
  if (done.status !== 0) throw new StartError(`${script} failed: ${(done.stderr || done.stdout).trim()}`);
};

const LOCK = 'package-lock.json';

const SITE: Part = {
  name: 'site',
  sources: [LOCK, 'admin-ui/*.{ts,html,json}', 'admin-ui/{public,src}/**/*.*', 'contract/**/*.ts'],
  outputs: ['admin-ui/dist/**/*.*'],
  make: () => run('node_modules/vite/bin/vite.js', ['build', 'admin-ui', '--logLevel', 'warn']),
};

const FUNCTIONS: Part = {
  name: 'functions',
  sources: [LOCK, '{build,contract,lambdas}/**/*.ts'],
  outputs: ['dist/lambdas/**/*.*'],
  make: () => run('build/bundle.ts'),
};

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

let isAssembled = false;

/**
 * Builds the admin site and the bundles, as for a deployment, if a source has changed or another command has written to
 * them; once per process. Errors: `StartError` with the output of the failed step.
 */
export const assemble = (): void => {
  if (isAssembled) return;
  // A container image has the outputs without their sources, and nothing in it can be written to.
  if (existsSync(path.join(ROOT, 'admin-ui/src')))
    withBuildLock(() => {
      for (const part of [SITE, FUNCTIONS]) bringUpToDate(ROOT, part);
    });
  isAssembled = true;
};

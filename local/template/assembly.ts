import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lockFile } from '../file-lock.ts';
import { StartError } from '../start-error.ts';
import { bringUpToDate, type Part } from './up-to-date.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = path.join(ROOT, 'dist');
const ASSEMBLY = path.join(DIST, 'cdk.out');
const MAX_WAIT_MS = 300_000;

export interface Assembly {
  /** Path of the synthesized template. */
  readonly template: string;
  /** Path of the bundle of an operation. */
  readonly bundleOf: (operationId: string) => string;
}

const run = (script: string, args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}): void => {
  const done = spawnSync(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new StartError(`${script} failed: ${(done.stderr || done.stdout).trim()}`);
};

const synthesize = (): void => {
  const { context } = JSON.parse(readFileSync(path.join(ROOT, 'cdk.json'), 'utf8')) as { context: object };
  // Only the template is needed: no assets are copied, and the schema is checked at deployment.
  const local = { stage: 'local', 'aws:cdk:disable-asset-staging': true };
  run('bin/cuevault.ts', [], {
    CDK_OUTDIR: ASSEMBLY,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...local }),
    CDK_VALIDATION: 'false',
  });
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
  sources: [LOCK, 'cdk.json', '{bin,build,contract,lambdas,lib}/**/*.ts'],
  outputs: ['dist/lambdas/**/*.*', 'dist/cdk.out/*.template.json'],
  make: () => {
    run('build/bundle.ts');
    synthesize();
  },
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

const bringAllUpToDate = (): Assembly => {
  // A container image has the outputs without their sources, and nothing in it can be written to.
  if (existsSync(path.join(ROOT, 'admin-ui/src')))
    withBuildLock(() => {
      // The template refers to the files of the site.
      for (const part of [SITE, FUNCTIONS]) bringUpToDate(ROOT, part);
    });
  const [template] = globSync('*.template.json', { cwd: ASSEMBLY, exclude: ['*.nested.*'] });
  if (template === undefined)
    throw new StartError('No template was synthesized; delete dist/ and start again.');
  return {
    template: path.join(ASSEMBLY, template),
    bundleOf: (operationId) => path.join(DIST, 'lambdas', operationId, 'index.mjs'),
  };
};

let assembly: Assembly | undefined;

/**
 * The admin site, the bundles and the template, as for a deployment. They are rebuilt if a source has changed or another
 * command has written to them, but once per process. Errors: `StartError` with the output of the failed step.
 */
export const assemble = (): Assembly => {
  assembly ??= bringAllUpToDate();
  return assembly;
};

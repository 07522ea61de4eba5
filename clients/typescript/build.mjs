// Builds the package into dist/, or the folder given: one file of JavaScript for each entry, and the types of the library.
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

if (process.argv[2] === undefined) rmSync(dist, { recursive: true, force: true });
// Both entries of the library throw the same classes, so that `instanceof` holds.
const sharedErrors = {
  name: 'shared-errors',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/errors\.ts$/ }, () => ({ path: './index.js', external: true })),
};
const common = { absWorkingDir: here, bundle: true, format: 'esm', outdir: dist, logLevel: 'warning' };
const node = { platform: 'node', target: 'node20' };
await Promise.all([
  // Nothing of any platform: also Workers and browsers can take it. Shorter syntax keeps it small, and readable.
  build({
    ...common,
    entryPoints: ['src/index.ts'],
    platform: 'neutral',
    target: 'es2022',
    minifySyntax: true,
  }),
  build({ ...common, ...node, entryPoints: ['src/offline.ts'], plugins: [sharedErrors] }),
  build({ ...common, ...node, entryPoints: ['src/cli.ts'] }),
]);
chmodSync(join(dist, 'cli.js'), 0o755);
const types = ['-p', join(here, 'tsconfig.build.json'), '--outDir', dist];
execFileSync(process.execPath, [join(typescript, 'bin/tsc'), ...types], { stdio: 'inherit' });

// The compiler leaves the endings of imports in declarations as they are in the source.
for (const file of readdirSync(dist).filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(join(dist, file), 'utf8');
  writeFileSync(join(dist, file), text.replaceAll(/ from '(\.\/[\w-]+)\.ts'/g, " from '$1.js'"));
}

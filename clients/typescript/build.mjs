// Builds the package into dist/, or the folder given: one file for each entry as ES module and as CommonJS, and the types.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { licensesOf } from '../../scripts/packages/licenses.ts';

const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));

if (process.argv[2] === undefined) rmSync(dist, { recursive: true, force: true });

/**
 * Imports of these files remain imports of another entry, so that all entries share the classes and main stays small.
 */
const linkTo = (ending, links) => ({
  name: 'links',
  setup: ({ onResolve }) => {
    for (const [file, entry] of Object.entries(links)) {
      const filter = new RegExp(`/${file}\\.ts$`);
      onResolve({ filter }, () => ({ path: `./${entry}${ending}`, external: true }));
    }
  },
});
const ENVIRONMENT = { environment: 'environment' };
const MAIN = { index: 'index', errors: 'index' };

const common = { absWorkingDir: here, bundle: true, outdir: dist, logLevel: 'warning' };
const FORMATS = [
  // Nothing of any platform. Shorter syntax keeps it small, and readable.
  { ending: '.js', options: { format: 'esm', platform: 'neutral', target: 'es2022', minifySyntax: true } },
  // Jest and others that load CommonJS cannot import there.
  {
    ending: '.cjs',
    options: { format: 'cjs', platform: 'node', target: 'node22', supported: { 'dynamic-import': false } },
  },
];
await Promise.all([
  ...FORMATS.flatMap(({ ending, options }) => {
    const all = { ...common, ...options, outExtension: { '.js': ending } };
    return [
      build({ ...all, entryPoints: ['src/index.ts'], plugins: [linkTo(ending, ENVIRONMENT)] }),
      build({
        ...all,
        entryPoints: [
          { in: 'src/secrets/environment.ts', out: 'environment' },
          ...['adapters', 'offline', 'testing', 'otel'].map((name) => ({ in: `src/${name}.ts`, out: name })),
        ],
        external: ['node:*', '@opentelemetry/api'],
        plugins: [linkTo(ending, MAIN)],
      }),
    ];
  }),
  build({
    ...common,
    ...FORMATS[0].options,
    entryPoints: ['src/workers.ts'],
    external: ['cloudflare:workers'],
  }),
  // Split, so that only the commands for prompts in git load what they need of YAML, of which Node's own entry is CommonJS.
  build({
    ...common,
    entryPoints: ['src/cli.ts'],
    format: 'esm',
    platform: 'neutral',
    target: 'node22',
    external: ['node:*', '@modelcontextprotocol/sdk'],
    splitting: true,
    chunkNames: 'cli/[name]-[hash]',
    metafile: true,
  }).then(({ metafile }) => writeFileSync(join(dist, 'cli/LICENSES.txt'), licensesOf([metafile], here))),
]);
chmodSync(join(dist, 'cli.js'), 0o755);
const types = join(dist, 'types');
const options = ['-p', join(here, 'tsconfig.build.json'), '--outDir', types];
execFileSync(process.execPath, [join(typescript, 'bin/tsc'), ...options], { stdio: 'inherit' });
cpSync(join(types, 'clients/typescript/src'), dist, { recursive: true });
cpSync(join(types, 'contract'), join(dist, 'contract'), { recursive: true });
rmSync(types, { recursive: true });

// The contract moves into the package. The compiler leaves the endings of imports as they are in the source.
for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const file = join(dist, name);
  const text = readFileSync(file, 'utf8').replaceAll(
    /'((?:\.\.\/)*)(?:\.\.\/){3}contract\//g,
    "'./$1contract/",
  );
  const endingIn = (ending) => text.replaceAll(/(from |import\()'(\.[^']*)\.ts'/g, `$1'$2${ending}'`);
  writeFileSync(file, endingIn('.js'));
  writeFileSync(file.replace(/\.d\.ts$/, '.d.cts'), endingIn('.cjs'));
}

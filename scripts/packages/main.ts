// npm run packages -- --out DIR: builds the packages that a release publishes.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { SETTINGS } from '../../build/bundle.ts';
import { assemble } from '../../local/assembly/assembly.ts';
import npm from '../../package.json' with { type: 'json' };
import { runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { compile, complete, pack, ROOT, run } from './package.ts';

/** The declarations of the construct and of what they mention. The compiler leaves the endings of the sources. */
const declare = (folder: string): void => {
  const config = path.join(folder, 'tsconfig.json');
  const compilerOptions = { noEmit: false, declaration: true, emitDeclarationOnly: true, types: ['node'] };
  const typeRoots = [path.join(ROOT, 'node_modules/@types')];
  writeFileSync(
    config,
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.json'),
      compilerOptions: { ...compilerOptions, typeRoots, rootDir: ROOT, outDir: path.join(folder, 'all') },
      include: [],
      files: [path.join(ROOT, 'lib/cuevault-stack.ts')],
    }),
  );
  run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', config);
  for (const name of ['cuevault-stack', 'settings']) {
    const text = readFileSync(path.join(folder, 'all/lib', `${name}.d.ts`), 'utf8');
    writeFileSync(path.join(folder, `${name}.d.ts`), text.replaceAll(/(from )'(\.[^']*)\.ts'/g, "$1'$2.js'"));
  }
  for (const made of ['all', 'tsconfig.json']) rmSync(path.join(folder, made), { recursive: true });
};

// Alarms refer to it.
const RUNBOOK = 'docs/operations.md';

const VERSIONS = npm.devDependencies;

const EXTERNAL = ['aws-cdk-lib', 'constructs', 'cdk-preflight'];

/** Compiles the commands for AWS, which are started as `start` says. */
const compileCommands = (folder: string, start: string): Promise<Metafile> =>
  compile({
    entryPoints: ['scripts/packages/command.ts'],
    outdir: path.join(folder, 'commands'),
    define: { 'process.env.CUEVAULT_COMMAND': JSON.stringify(start) },
    external: EXTERNAL,
  });

const copy = (from: string, folder: string, to = from): void =>
  cpSync(path.join(ROOT, from), path.join(folder, to), { recursive: true });

/** Fills a folder with the package of the construct and its commands, from the assembled bundles and admin site. */
const buildCdk = async (folder: string): Promise<void> => {
  // CommonJS, which `import` and `require` load alike: two copies would be two classes.
  const stack = await compile({
    entryPoints: ['lib/cuevault-stack.ts'],
    outdir: folder,
    format: 'cjs',
    splitting: false,
    outExtension: { '.js': '.js' },
    define: { 'import.meta.url': 'here' },
    banner: { js: "const here = require('node:url').pathToFileURL(__filename).href;" },
    external: EXTERNAL,
  });
  const commands = await compileCommands(folder, 'npx --no cuevault-cdk');
  declare(folder);
  copy('dist/lambdas', folder, 'assets/lambdas');
  copy('admin-ui/dist', folder, 'assets/site');
  copy(RUNBOOK, folder);
  const { 'aws-cdk-lib': cdk, constructs } = VERSIONS;
  complete(folder, {
    name: 'cuevault-cdk',
    description: 'Cuevault as a construct for your AWS CDK app: prompts and secrets for applications',
    start: './commands/command.mjs',
    readme: 'lib/README.md',
    bundles: [stack, commands],
    fields: {
      main: './cuevault-stack.js',
      types: './cuevault-stack.d.ts',
      peerDependencies: { 'aws-cdk-lib': `^${cdk}`, constructs: `^${constructs}` },
    },
  });
};

const DEPLOY = 'cuevault-deploy';

/**
 * Fills a folder with the package that deploys without a clone: its app, the CLI in the version of this release, and all
 * commands. It is started from its archive, so no text names a package that a registry could have.
 */
const buildDeploy = async (folder: string): Promise<void> => {
  const start = `npx ./${DEPLOY}-${npm.version}.tgz`;
  const define = { 'process.env.CUEVAULT_COMMAND': JSON.stringify(start) };
  // As deep in the package as the source is in the repository, so that it finds functions and site.
  const app = await compile({
    entryPoints: ['bin/cuevault.ts'],
    outdir: path.join(folder, 'bin'),
    define,
    external: EXTERNAL,
  });
  const commands = await compileCommands(folder, start);
  for (const part of ['dist/lambdas', 'admin-ui/dist', RUNBOOK]) copy(part, folder);
  const { 'aws-cdk': cli, 'aws-cdk-lib': cdk, constructs } = VERSIONS;
  complete(folder, {
    name: DEPLOY,
    description: 'Deploys Cuevault to AWS: prompts and secrets for applications, in your own account',
    start: './commands/command.mjs',
    readme: 'bin/README.md',
    bundles: [app, commands],
    fields: { dependencies: { 'aws-cdk': cli, 'aws-cdk-lib': cdk, constructs } },
  });
};

const NAME = 'cuevault-server';

const engines = Object.entries(npm.optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));

/** Fills a folder with the package that runs Cuevault on a machine, from the assembled bundles and admin site. */
const buildServer = async (folder: string): Promise<void> => {
  // As deep in the package as the sources are in the repository, which find each other's files by relative paths.
  const bundle = await compile({
    entryPoints: ['local/start.mjs', 'local/functions/worker.mjs', 'local/engine/watchdog.mjs'],
    outdir: path.join(folder, 'local/app'),
    alias: SETTINGS.alias,
    define: { 'process.env.CUEVAULT_COMMAND': JSON.stringify(`npx --no ${NAME}`) },
  });
  for (const part of ['dist/local', 'admin-ui/dist']) copy(part, folder);
  complete(folder, {
    name: NAME,
    description: 'Cuevault on your machine: prompts and secrets for applications, with an admin UI',
    start: './local/app/start.mjs',
    readme: 'local/README.md',
    bundles: [bundle],
    fields: { optionalDependencies: Object.fromEntries(engines) },
  });
};

const USAGE = `Usage: npm run packages -- --out DIR [NAME ...]

Builds the packages, or those that are named, into DIR: cuevault, cuevault-server
and cuevault-cdk for npm, cuevault-python (wheel and source archive) for PyPI, and
${DEPLOY}, an archive that deploys without a clone.`;

const inNewFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cuevault-package-'));
  await work(folder).finally(() => rmSync(folder, { recursive: true }));
};

const BUILDS: Readonly<Record<string, (out: string) => Promise<void>>> = {
  cuevault: async (out) => {
    run(process.execPath, 'clients/typescript/build.mjs');
    pack('./clients/typescript', out);
  },
  'cuevault-python': async (out) => {
    const build = ['python', '-m', 'build', '--no-isolation', '--outdir', out, '.'];
    run(process.execPath, 'scripts/python.mjs', ...build);
  },
  'cuevault-server': (out) => inNewFolder((folder) => buildServer(folder).then(() => pack(folder, out))),
  'cuevault-cdk': (out) => inNewFolder((folder) => buildCdk(folder).then(() => pack(folder, out))),
  [DEPLOY]: (out) => inNewFolder((folder) => buildDeploy(folder).then(() => pack(folder, out))),
};

const OPTIONS = { out: { type: 'string' } } as const;

await runWithArguments(
  { usage: USAGE, options: OPTIONS, counts: [0, 1, 2, 3, 4, 5] },
  async ({ values, positionals }) => {
    const names = positionals.length === 0 ? Object.keys(BUILDS) : positionals;
    if (values.out === undefined || !names.every((name) => Object.hasOwn(BUILDS, name)))
      throw new CommandError(USAGE);
    const out = path.resolve(values.out);
    mkdirSync(out, { recursive: true });
    assemble();
    assemble('deployment');
    for (const name of names) await BUILDS[name]?.(out);
    return `Built ${names.join(', ')} in ${out}.`;
  },
);

import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import client from '../../clients/typescript/package.json' with { type: 'json' };
import { licensesOf } from './licenses.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program in the repository. Errors: that it failed, after its own output. */
export const run = (program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
};

/** Puts what npm publishes of a folder into the folder `out`. No script runs: the package is built. */
export const pack = (folder: string, out: string): void =>
  run('npm', 'pack', folder, '--ignore-scripts', '--pack-destination', out, '--loglevel=error');

// CommonJS packages in an ES module load Node's own with it.
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

/** Compiles entries into ES modules of one folder, which share what they both import. */
export const compile = async (options: BuildOptions): Promise<Metafile> => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    entryNames: '[name]',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: REQUIRE },
    ...options,
  } as BuildOptions & { metafile: true });
  return metafile;
};

/** The oldest Node.js for all packages: from this one on, it has `node:sqlite`. */
const NODE = client.engines.node.slice('>='.length);

/** The command of a package. It has no imports, so that an old Node.js gets as far as the sentence. */
const binOf = (name: string, start: string): string => `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
const [oldest, oldestMinor] = [${NODE.replace('.', ', ')}];
if (major < oldest || (major === oldest && minor < oldestMinor)) {
  console.error('${name} needs Node.js ${NODE} or later, but this is ' + process.versions.node + '.');
  process.exit(1);
}
await import('${start}');
`;

export interface Contents {
  readonly name: string;
  readonly description: string;
  /** Module that the command loads. */
  readonly start: string;
  readonly readme: string;
  readonly bundles: readonly Metafile[];
  /** Other fields of package.json. */
  readonly fields?: object;
}

/** Completes a folder with what every package has: package.json, command, README, license, licenses of others. */
export const complete = (folder: string, { name, start, readme, bundles, fields, description }: Contents) => {
  const { version, license, bugs, repository, engines } = client;
  const own = { name, version, description, license, bugs, repository: { ...repository, directory: '.' } };
  const rest = { bin: { [name]: 'bin.mjs' }, engines, ...fields };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ ...own, ...rest }, null, 2)}\n`);
  writeFileSync(path.join(folder, 'bin.mjs'), binOf(name, start), { mode: 0o755 });
  writeFileSync(path.join(folder, 'LICENSES.txt'), licensesOf(bundles, ROOT));
  cpSync(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  cpSync(path.join(ROOT, readme), path.join(folder, 'README.md'));
};

// npm run packages -- --out DIR: builds the packages that a release publishes.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assemble } from '../../local/assembly/assembly.ts';
import { runWithArguments } from '../aws/command.ts';
import { CommandError } from '../aws/stack.ts';
import { buildCdk, buildDeploy, DEPLOY } from './cdk.ts';
import { pack, run } from './package.ts';
import { buildServer } from './server.ts';

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

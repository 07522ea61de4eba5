import { cpSync } from 'node:fs';
import path from 'node:path';
import { SETTINGS } from '../../build/bundle.ts';
import npm from '../../package.json' with { type: 'json' };
import { compile, complete, ROOT } from './package.ts';

const NAME = 'cuevault-server';

const engines = Object.entries(npm.optionalDependencies).filter(([name]) => name.startsWith('@dynoxide/'));

/** Fills a folder with the package that runs Cuevault on a machine, from the assembled bundles and admin site. */
export const buildServer = async (folder: string): Promise<void> => {
  // As deep in the package as the sources are in the repository, which find each other's files by relative paths.
  const bundle = await compile({
    entryPoints: ['local/start.mjs', 'local/functions/worker.mjs', 'local/engine/watchdog.mjs'],
    outdir: path.join(folder, 'local/app'),
    alias: SETTINGS.alias,
    define: { 'process.env.CUEVAULT_COMMAND': JSON.stringify(`npx --no ${NAME}`) },
  });
  for (const part of ['dist/local', 'admin-ui/dist'])
    cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true });
  complete(folder, {
    name: NAME,
    description: 'Cuevault on your machine: prompts and secrets for applications, with an admin UI',
    start: './local/app/start.mjs',
    readme: 'local/README.md',
    bundles: [bundle],
    fields: { optionalDependencies: Object.fromEntries(engines) },
  });
};

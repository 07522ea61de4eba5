import { readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { isRead } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { COMMANDS } from '../contract/functions/commands.ts';
import { CONSUMERS } from '../contract/functions/consumers.ts';
import { JOBS } from '../contract/functions/jobs.ts';
import { TRIGGERS } from '../contract/functions/triggers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const ENVIRONMENT_CREDENTIALS = fileURLToPath(new URL('environment-credentials.ts', import.meta.url));

/** For the bundles that applications wait for. */
const HOT_SDK = {
  '@aws-sdk/client-dynamodb': join(ROOT, 'lambdas/store/hot-sdk/dynamodb.ts'),
  '@aws-sdk/lib-dynamodb': join(ROOT, 'lambdas/store/hot-sdk/dynamodb.ts'),
  '@aws-sdk/util-dynamodb': join(ROOT, 'lambdas/store/hot-sdk/attributes.ts'),
  '@aws-sdk/client-kms': join(ROOT, 'lambdas/store/hot-sdk/kms.ts'),
};

/** How the functions are bundled. */
export const SETTINGS = {
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  alias: { '@aws-sdk/credential-provider-node': ENVIRONMENT_CREDENTIALS },
  minify: true,
  treeShaking: true,
  legalComments: 'none',
} satisfies BuildOptions;

const ENDPOINT_FILES = readdirSync(join(ROOT, 'lambdas/endpoints'), { recursive: true, encoding: 'utf8' });

/** The file has the name of the operation and can be in any folder. */
const endpointFile = (id: string): string => {
  const file = ENDPOINT_FILES.find((name) => basename(name) === `${id}.ts`) ?? `${id}.ts`;
  return `lambdas/endpoints/${file}`;
};

/** Operation id → file of its handler, relative to the root, for each endpoint, job, command, consumer and trigger. */
export const HANDLERS: Readonly<Record<string, string>> = Object.fromEntries([
  ...ENDPOINTS.map(({ id }) => [id, endpointFile(id)]),
  ...JOBS.map(({ id }) => [id, `lambdas/jobs/${id}.ts`]),
  ...COMMANDS.map(({ id }) => [id, `lambdas/commands/${id}.ts`]),
  ...CONSUMERS.map(({ id }) => [id, `lambdas/consumers/${id}.ts`]),
  ...TRIGGERS.map(({ id }) => [id, `lambdas/triggers/${id}.ts`]),
]);

/** What running applications call. */
const HOT: ReadonlySet<string> = new Set(ENDPOINTS.filter(isRead).map(({ id }) => id));

const OUT = join(ROOT, 'dist');

interface Form {
  /** Of the folders of functions, in `dist`. */
  readonly folder: string;
  readonly options: BuildOptions;
}

/** One self-contained module for each function, and its source map in `dist/maps/<operation id>.mjs.map`. */
const DEPLOYMENT: Form = { folder: 'lambdas', options: { sourcemap: 'external' } };

/** What functions share is in modules of its own: a tenth of the time, and a fiftieth of the size. */
const ONE_MACHINE: Form = { folder: 'local', options: { splitting: true, minify: false } };

/**
 * Bundles each handler into `dist/<folder>/<operation id>/index.mjs`, and removes bundles of operations that no longer
 * exist. Throws when a handler file is missing.
 */
const bundle = async ({ folder, options }: Form): Promise<void> => {
  const outdir = join(OUT, folder);
  const built = [true, false].map(async (isHot) => {
    const entries = Object.entries(HANDLERS).filter(([id]) => HOT.has(id) === isHot);
    const { outputFiles } = await build({
      ...SETTINGS,
      ...options,
      alias: { ...SETTINGS.alias, ...(isHot && HOT_SDK) },
      absWorkingDir: ROOT,
      entryPoints: entries.map(([id, file]) => ({ in: file, out: `${id}/index` })),
      outdir,
      logLevel: 'warning',
      write: false,
    });
    return outputFiles;
  });
  const outputFiles = (await Promise.all(built)).flat();
  await rm(outdir, { recursive: true, force: true });
  await Promise.all(outputFiles.map(write));
};

const write = async ({ path: built, contents }: OutputFile): Promise<void> => {
  const isMap = built.endsWith('.map');
  const path = isMap ? join(OUT, 'maps', `${basename(dirname(built))}.mjs.map`) : built;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, contents);
};

if (import.meta.main) {
  try {
    await bundle(process.argv[2] === '--deployment' ? DEPLOYMENT : ONE_MACHINE);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
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

export interface BundleOptions {
  /**
   * Operation id → file of its handler, relative to `root`.
   * @default HANDLERS
   */
  readonly handlers?: Readonly<Record<string, string>>;
  /**
   * Folder that contains the handlers.
   * @default - the repository
   */
  readonly root?: string;
  /**
   * Folder to write to.
   * @default - `dist` under the root
   */
  readonly out?: string;
}

/**
 * Bundles each handler into `lambdas/<operation id>/index.mjs` of the output folder, its source map into
 * `maps/<operation id>.mjs.map`, and removes bundles of operations that no longer exist. Returns the size of each
 * bundle in bytes, by operation id, and writes the same to `bundles.json`. Throws when a handler file is missing.
 */
export const bundle = async ({
  handlers = HANDLERS,
  root = ROOT,
  out = join(root, 'dist'),
}: BundleOptions = {}): Promise<Record<string, number>> => {
  const missing = Object.values(handlers).filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`Missing handler: ${missing.join(', ')}`);
  const lambdas = join(out, 'lambdas');
  const built = [true, false].map(async (isHot) => {
    const entries = Object.entries(handlers).filter(([id]) => HOT.has(id) === isHot);
    const { outputFiles } = await build({
      ...SETTINGS,
      alias: { ...SETTINGS.alias, ...(isHot && HOT_SDK) },
      absWorkingDir: root,
      entryPoints: entries.map(([id, file]) => ({ in: file, out: `${id}/index` })),
      outdir: lambdas,
      sourcemap: 'external',
      logLevel: 'warning',
      write: false,
    });
    return outputFiles;
  });
  const outputFiles = (await Promise.all(built)).flat();
  await removeOthers(lambdas, handlers);
  await Promise.all(outputFiles.map((file) => write(out, file)));
  return writeSizes(out, outputFiles);
};

const removeOthers = async (lambdas: string, handlers: Readonly<Record<string, string>>): Promise<void> => {
  const present = existsSync(lambdas) ? await readdir(lambdas) : [];
  const others = present.filter((id) => !(id in handlers));
  await Promise.all(others.map((id) => rm(join(lambdas, id), { recursive: true })));
};

const isMap = ({ path }: OutputFile): boolean => path.endsWith('.map');

const operationOf = ({ path }: OutputFile): string => basename(dirname(path));

const write = async (out: string, file: OutputFile): Promise<void> => {
  const path = isMap(file) ? join(out, 'maps', `${operationOf(file)}.mjs.map`) : file.path;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, file.contents);
};

const writeSizes = async (out: string, files: readonly OutputFile[]): Promise<Record<string, number>> => {
  const bundles = files.filter((file) => !isMap(file));
  const sizes = Object.fromEntries(bundles.map((file) => [operationOf(file), file.contents.length]));
  await writeFile(join(out, 'bundles.json'), `${JSON.stringify(sizes, undefined, 2)}\n`);
  return sizes;
};

if (import.meta.main) {
  try {
    await bundle();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SETTINGS } from '../../build/bundle.ts';

/** Bundles a module of `floors/` as the functions are bundled, and returns the path of the bundle. */
export const bundleFloor = async (name: string): Promise<string> => {
  const outdir = fileURLToPath(new URL('../../dist/floors', import.meta.url));
  const entryPoints = [fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url))];
  await build({ ...SETTINGS, entryPoints, outdir });
  return path.join(outdir, `${name}.mjs`);
};

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { SETTINGS } from '../../build/bundle.ts';

export interface FloorOptions {
  /** With the SDK's own chain of credential providers, which the functions do without. @default false */
  readonly credentialChain?: boolean;
}

/** Bundles a module of `floors/` as the functions are bundled, and returns the path of the bundle. */
export const bundleFloor = async (
  name: string,
  { credentialChain = false }: FloorOptions = {},
): Promise<string> => {
  const folder = credentialChain ? 'floors-with-credential-chain' : 'floors';
  const outdir = fileURLToPath(new URL(`../../dist/${folder}`, import.meta.url));
  await build({
    ...SETTINGS,
    ...(credentialChain ? { alias: {} } : {}),
    entryPoints: [fileURLToPath(new URL(`floors/${name}.ts`, import.meta.url))],
    outdir,
  });
  return path.join(outdir, `${name}.mjs`);
};

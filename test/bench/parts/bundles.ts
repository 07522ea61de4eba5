import { statSync } from 'node:fs';
import type { Figure } from '../figures.ts';

const BOUNDS_KB = { 'prompt-get-compiled': 130, 'vault-get-secrets': 135 } as const;

/** Sizes of the bundles that applications wait for, minified. */
export const bundles = async (): Promise<Figure[]> =>
  Object.entries(BOUNDS_KB).map(([id, bound]) => {
    const { size } = statSync(new URL(`../../../dist/lambdas/${id}/index.mjs`, import.meta.url));
    return { name: `bundle of ${id}`, measured: size / 1_000, bound, unit: 'KB' };
  });

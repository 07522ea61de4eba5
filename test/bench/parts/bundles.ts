import { readFileSync } from 'node:fs';
import type { Figure } from '../figures.ts';

const BOUNDS_KB = { 'prompt-get-compiled': 130, 'vault-get-secrets': 135 } as const;

/** Sizes of the bundles that applications wait for, minified. */
export const bundles = async (): Promise<Figure[]> => {
  const file = new URL('../../../dist/bundles.json', import.meta.url);
  const sizes = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  return Object.entries(BOUNDS_KB).map(([id, bound]) => ({
    name: `bundle of ${id}`,
    measured: (sizes[id] ?? Number.NaN) / 1_000,
    bound,
    unit: 'KB',
  }));
};

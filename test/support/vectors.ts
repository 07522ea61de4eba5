import { readFileSync } from 'node:fs';

// biome-ignore lint/suspicious/noExplicitAny: tests inspect JSON freely
export type Json = { readonly [name: string]: any };

/** A file of `test/vectors`. Parsed here: an import would turn a property named `__proto__` into a prototype. */
export const vectorsIn = (file: string): Json =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}.json`, import.meta.url), 'utf8'));

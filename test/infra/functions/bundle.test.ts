import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, HANDLERS } from '../../../build/bundle.ts';
import { newFolder } from '../../support/new-folder.ts';
import { OPERATIONS } from '../stack.ts';

const handlers = { 'first-get': 'endpoints/first-get.ts', 'second-list': 'endpoints/second-list.ts' };

const newRoot = (): string => {
  const root = newFolder();
  mkdirSync(join(root, 'endpoints'));
  writeFileSync(join(root, 'shared.ts'), 'export const greet = (name: string): string => "hello " + name;\n');
  for (const [id, file] of Object.entries(handlers)) {
    writeFileSync(
      join(root, file),
      `import { greet } from '../shared.ts';\nexport const handler = async () => greet('${id}');\n`,
    );
  }
  return root;
};

test('every operation of the contract has a handler to bundle', () => {
  expect(Object.keys(HANDLERS).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
});

test('each handler becomes one self-contained module', async () => {
  const root = newRoot();
  await bundle({ root, handlers });
  const path = join(root, 'dist/lambdas/second-list/index.mjs');
  expect(readFileSync(path, 'utf8')).not.toMatch(/shared|sourceMappingURL/);
  const { handler } = await import(pathToFileURL(path).href);
  await expect(handler()).resolves.toBe('hello second-list');
});

test('a folder to deploy contains only the module: source maps are elsewhere', async () => {
  const root = newRoot();
  await bundle({ root, handlers });
  expect(readdirSync(join(root, 'dist/lambdas/first-get'))).toEqual(['index.mjs']);
  expect(readdirSync(join(root, 'dist/maps')).sort()).toEqual(['first-get.mjs.map', 'second-list.mjs.map']);
});

test('sizes are reported by operation, in bytes', async () => {
  const root = newRoot();
  const sizes = await bundle({ root, handlers });
  expect(JSON.parse(readFileSync(join(root, 'dist/bundles.json'), 'utf8'))).toEqual(sizes);
  expect(sizes['first-get']).toBe(readFileSync(join(root, 'dist/lambdas/first-get/index.mjs')).length);
});

test('a missing handler is an error that names its file, and nothing is written', async () => {
  const root = newRoot();
  const more = { ...handlers, 'third-set': 'endpoints/third-set.ts' };
  await expect(bundle({ root, handlers: more })).rejects.toThrow('Missing handler: endpoints/third-set.ts');
  expect(existsSync(join(root, 'dist'))).toBe(false);
});

test('the bundle of a removed operation is deleted', async () => {
  const root = newRoot();
  await bundle({ root, handlers });
  await bundle({ root, handlers: { 'first-get': handlers['first-get'] } });
  expect(readdirSync(join(root, 'dist/lambdas'))).toEqual(['first-get']);
});

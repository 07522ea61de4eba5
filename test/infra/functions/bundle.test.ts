import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { HANDLERS } from '../../../build/bundle.ts';
import { ENDPOINTS } from '../../../contract/endpoints.ts';
import { assemble } from '../../../local/assembly/assembly.ts';
import { OPERATIONS } from '../stack.ts';

assemble('deployment');

const ids = OPERATIONS.map(({ id }) => id).sort();

test('every operation of the contract has a handler to bundle, and nothing else has', () => {
  expect(Object.keys(HANDLERS).sort()).toEqual(ids);
  expect(readdirSync('dist/lambdas').sort()).toEqual(ids);
});

test.each(ids)('a deployment of %s contains one self-contained module: its source map is elsewhere', (id) => {
  const folder = path.join('dist/lambdas', id);
  expect(readdirSync(folder)).toEqual(['index.mjs']);
  expect(existsSync(`dist/maps/${id}.mjs.map`)).toBe(true);
  const text = readFileSync(path.join(folder, 'index.mjs'), 'utf8');
  const imported = [...text.matchAll(/\bfrom"([\w:@/.-]+)"/g)].map(([, name = '']) => name);
  expect(imported.filter((name) => !isBuiltin(name))).toEqual([]);
  expect(imported).not.toEqual([]);
});

test.each(ENDPOINTS)(
  '$id loads what verifies tokens only if operators or applications call it',
  ({ id, access }) => {
    expect(readFileSync(`dist/lambdas/${id}/index.mjs`, 'utf8').includes('JWKS')).toBe(
      access.kind === 'operator' || access.kind === 'api-key',
    );
  },
);

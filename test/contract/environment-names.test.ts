import { readFileSync } from 'node:fs';
import {
  DANGEROUS_NAMES,
  HARMLESS_NAMES,
  isDangerousName,
  isShellName,
} from '../../contract/functions/environment-names.ts';

interface Vectors {
  readonly dangerous: readonly string[];
  readonly exceptions: readonly string[];
  readonly cases: readonly { readonly secrets: object; readonly notSet: readonly string[] }[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/environment.json', import.meta.url), 'utf8'),
) as Vectors;

test('the dangerous names are those that no client sets, and their exceptions', () => {
  expect(DANGEROUS_NAMES).toEqual(vectors.dangerous);
  expect(HARMLESS_NAMES).toEqual(vectors.exceptions);
});

test('a name is dangerous in any case, and by its start or its end', () => {
  const names = ['DYLD_INSERT_LIBRARIES', 'BASH_FUNC_ls%%', 'PATH', 'Path', 'npm_config_x', 'http_proxy'];
  expect(names.filter((name) => !isDangerousName(name))).toEqual([]);
});

test('names that every client sets are not dangerous', () => {
  const names = vectors.cases
    .filter((each) => each.notSet.length === 0 && !('allow' in each))
    .flatMap(({ secrets }) => Object.keys(secrets));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(isDangerousName)).toEqual([]);
});

test('a shell name has letters, digits and underscores, and does not begin with a digit', () => {
  expect(['A', '_a1', 'DATABASE_URL'].filter((name) => !isShellName(name))).toEqual([]);
  expect(['', '1A', 'A-B', 'a.b', 'A B', 'ÉTÉ', 'A\n'].filter(isShellName)).toEqual([]);
});

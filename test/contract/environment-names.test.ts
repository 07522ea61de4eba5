import { readFileSync } from 'node:fs';
import { DANGEROUS_NAMES, isDangerousName, isShellName } from '../../contract/functions/environment-names.ts';

interface Case {
  readonly secrets: Readonly<Record<string, unknown>>;
  readonly platform?: string;
  readonly allowDangerousNames?: boolean;
}

interface Vectors {
  readonly dangerous: readonly string[];
  readonly validCases: readonly Case[];
}

const vectors = JSON.parse(
  readFileSync(new URL('../vectors/environment.json', import.meta.url), 'utf8'),
) as Vectors;

test('the dangerous names are those that every client refuses', () => {
  expect([...DANGEROUS_NAMES].sort()).toEqual([...vectors.dangerous].sort());
});

test('an entry that ends in * matches every name with that prefix', () => {
  expect(['DYLD_INSERT_LIBRARIES', 'BASH_FUNC_ls%%', 'PATH'].filter(isDangerousName)).toHaveLength(3);
});

test('names that the clients set by default are not dangerous', () => {
  const names = vectors.validCases
    .filter(({ platform, allowDangerousNames }) => platform !== 'windows' && !allowDangerousNames)
    .flatMap(({ secrets }) => Object.keys(secrets));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter(isDangerousName)).toEqual([]);
});

test('a shell name has letters, digits and underscores, and does not begin with a digit', () => {
  expect(['A', '_a1', 'DATABASE_URL'].filter((name) => !isShellName(name))).toEqual([]);
  expect(['', '1A', 'A-B', 'a.b', 'A B', 'ÉTÉ', 'A\n'].filter(isShellName)).toEqual([]);
});

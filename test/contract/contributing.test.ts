import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { countLines, MOST_LINES } from '../../scripts/lines.mjs';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');

const filesOf = (walk: string): string[] => {
  const [, section = ''] = guide.split(`## ${walk}\n`);
  const [steps = ''] = section.split('\n## ');
  return Array.from(steps.matchAll(/^\d+\. `([^`]+)`/gm), ([, file = '']) => file);
};

const importsOf = (file: string): string[] =>
  Array.from(readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g), ([, path = '']) =>
    relative('.', join(file, '..', path)),
  );

test.each(['Follow a fetch', 'Follow a publish'])(
  'the steps of "%s" are real: each file is imported by an earlier one',
  (walk) => {
    const [first = '', ...others] = filesOf(walk);
    expect(others.length).toBeGreaterThan(5);
    const reached = new Set(importsOf(first));
    const missing = others.filter((file) => {
      const found = reached.has(file);
      for (const imported of importsOf(file)) reached.add(imported);
      return !found;
    });
    expect(missing).toEqual([]);
  },
);

const MOST = { files: 37, lines: 3_160 };
const VALUE_IMPORT = /^(?:import|export) (?!type )([^;]*?)from '(\.[^']+)'/gm;
const isOnlyTypes = (names: string): boolean =>
  names.startsWith('{') && !/(?:\{|,)\s*(?!type |\s|\})/.test(names.replace(/,\s*\}/, '}'));

const closureOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, names = '', path = ''] of readFileSync(file, 'utf8').matchAll(VALUE_IMPORT))
    if (!isOnlyTypes(names)) closureOf(relative('.', join(file, '..', path)), seen);
  return seen;
};
const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1;

const MOST_READ = { files: 44, lines: 3_540 };

test('what a read of secrets runs stays readable', () => {
  const files = [...closureOf('lambdas/endpoints/secrets/vault-get-secrets.ts')];
  expect(files.length).toBeLessThanOrEqual(MOST_READ.files);
  expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST_READ.lines);
});

// Who changes a fetch reads all of this. Raise a bound only for what every fetch needs.
test('what a fetch runs stays readable, and the walk names each larger part of it', () => {
  const [first = ''] = filesOf('Follow a fetch');
  const files = [...closureOf(first)];
  expect(files.length).toBeLessThanOrEqual(MOST.files);
  expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST.lines);
  const large = files.filter((file) => file.startsWith('lambdas/') && linesOf(file) > 60);
  expect(large.filter((file) => !guide.includes(`\`${file}\``))).toEqual([]);
});

test('the code stays within its lines', () => {
  const { product, tests } = countLines();
  expect(product).toBeLessThanOrEqual(MOST_LINES.product);
  expect(tests).toBeLessThanOrEqual(MOST_LINES.tests);
});

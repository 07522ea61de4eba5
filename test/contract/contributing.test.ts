import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

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

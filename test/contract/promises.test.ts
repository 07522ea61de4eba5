import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const DOCS = globSync('docs/**/*.md');
const section = readFileSync('docs/security.md', 'utf8')
  .split('\n## ')
  .find((part) => part.startsWith('Promises'));
const [, , ...rows] = (section ?? '').split('\n').filter((line) => line.startsWith('|'));
const promises = rows.map((row) =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim()),
);

test.each(promises)(
  'the promise "%s" names its attacker, mechanism and tests',
  (promise, attacker, mechanism, proof) => {
    expect(Math.min(promise?.length ?? 0, mechanism?.length ?? 0)).toBeGreaterThan(0);
    expect(attacker).toMatch(/^[WBFEKALO](, [WBFEKALO])*$/);
    const files = (proof ?? '').replaceAll('`', '').split(', ');
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  },
);

test('there are promises against every attacker', () => {
  const attackers = new Set(promises.flatMap(([, attacker = '']) => attacker.split(', ')));
  expect([...attackers].sort().join('')).toBe('ABEFKLOW');
});

test.each(DOCS)('every test that %s names exists', (file) => {
  const named = [...readFileSync(file, 'utf8').matchAll(/`(test\/[^` ]+)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

// As GitHub and the documentation site name the headings of a page.
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each([...DOCS, 'README.md', 'CONTRIBUTING.md', ...globSync('{clients,examples,admin-ui}/*/README.md')])(
  'every link of %s leads to a file, and to a heading if it names one',
  (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      if (/^([a-z]+:|\/)/.test(link)) return false;
      const [name = '', anchor] = link.split('#');
      const target = name === '' ? file : path.join(path.dirname(file), name);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(dead).toEqual([]);
  },
);

test.each(globSync('docs/how-to/*.md'))('%s has at most 600 words', (file) => {
  expect(readFileSync(file, 'utf8').trim().split(/\s+/).length).toBeLessThanOrEqual(600);
});

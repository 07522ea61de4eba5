import { existsSync, globSync, readFileSync } from 'node:fs';

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
  'the promise "%s" names its attacker, mechanism and test',
  (promise, attacker, mechanism, proof) => {
    expect(Math.min(promise?.length ?? 0, mechanism?.length ?? 0)).toBeGreaterThan(0);
    expect(attacker).toMatch(/^[WBFEKAL](, [WBFEKAL])*$/);
    expect(existsSync(proof?.replaceAll('`', '') ?? '')).toBe(true);
  },
);

test('there are promises against every attacker', () => {
  const attackers = new Set(promises.flatMap(([, attacker = '']) => attacker.split(', ')));
  expect([...attackers].sort().join('')).toBe('ABEFKLW');
});

test.each(DOCS)('every test that %s names exists', (file) => {
  const named = [...readFileSync(file, 'utf8').matchAll(/`(test\/[^` ]+)`/g)].map(([, path = '']) => path);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

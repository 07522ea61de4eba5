import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { assemble } from '../../../local/assembly/assembly.ts';
import { siteWeight } from '../../support/browser/site-weight.ts';

const BUILD = fileURLToPath(new URL('../../../admin-ui/dist', import.meta.url));
const LIBRARY_STYLES = fileURLToPath(
  new URL('../../../node_modules/@mantine/core/styles.css', import.meta.url),
);
const MOST_BYTES = 176_000;
const MOST_OVERVIEW_BYTES = 191_000;
const MOST_SETTLED_BYTES = 250_000;
// One file serves all lists and forms: fewer requests for some more bytes.
const MOST_SECTION_BYTES = 325_000;
const MOST_EDITOR_BYTES = 364_000;
const MOST_FILES = 12;
const MOST_FONT_BYTES = 90_000;

assemble();

const index = readFileSync(path.join(BUILD, 'index.html'), 'utf8');
const { first, sections } = siteWeight();
const read = (file: string): string => readFileSync(path.join(BUILD, file), 'utf8');

test('the frame takes at most 176 KB of scripts and styles, gzipped', () => {
  expect(first.files.length).toBeGreaterThan(2);
  expect(first.bytes).toBeLessThanOrEqual(MOST_BYTES);
});

test('a section is usable after at most 325 KB in 12 files, the overview after 191, and the editor after 364, without schemas', () => {
  const names = [
    'api-keys',
    'audit',
    'editor',
    'notifications',
    'operators',
    'overview',
    'prompts',
    'secrets',
  ];
  expect([...new Set(sections.map(({ name }) => name))].toSorted()).toEqual(names);
  for (const { name, shown, settled } of sections) {
    const isFirst = name === 'overview';
    const other = name === 'editor' ? MOST_EDITOR_BYTES : MOST_SECTION_BYTES;
    const most = isFirst ? MOST_OVERVIEW_BYTES : other;
    expect([name, shown.bytes <= most || shown.bytes]).toEqual([name, true]);
    expect([name, !isFirst || settled.bytes <= MOST_SETTLED_BYTES || settled.bytes]).toEqual([name, true]);
    expect([name, settled.files.length <= MOST_FILES || settled.files]).toEqual([name, true]);
    const scripts = settled.files.filter((file) => file.endsWith('.js'));
    const heavy = scripts.filter((file) => /cm-content|ZodMini/.test(read(file)));
    expect([name, heavy]).toEqual([name, []]);
  }
});

test('the styles are one file', () => {
  expect(globSync('assets/*.css', { cwd: BUILD })).toHaveLength(1);
});

test('no scripts of the site import each other in a circle, where one would run before what it needs', () => {
  const scripts = globSync('assets/*.js', { cwd: BUILD });
  const left = new Map(
    scripts.map((file) => [
      path.basename(file),
      [...read(file).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(([, name = '']) => name),
    ]),
  );
  expect([...left.values()].flat().length).toBeGreaterThan(scripts.length);
  const ready = () => [...left].filter(([, needs]) => !needs.some((need) => left.has(need)));
  for (let some = ready(); some.length > 0; some = ready()) for (const [name] of some) left.delete(name);
  expect([...left.keys()]).toEqual([]);
});

test('the styles of every component in use are loaded', () => {
  const classes = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,9}\b/g));
  const inLibrary = classes(readFileSync(LIBRARY_STYLES, 'utf8'));
  const styled = classes(globSync('assets/*.css', { cwd: BUILD }).map(read).join('\n'));
  const used = classes(globSync('assets/*.js', { cwd: BUILD }).map(read).join('\n'));
  expect([...used].filter((name) => inLibrary.has(name) && !styled.has(name))).toEqual([]);
});

test('index.html has no inline script but data, and loads nothing from other origins', () => {
  expect(index.replace(/<script type="application\/json"/g, '')).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(index).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('the site ships its fonts, at most 90 KB in total', () => {
  const fonts = globSync('assets/*.{woff,woff2,ttf,otf}', { cwd: BUILD });
  expect(fonts.length).toBe(3);
  const bytes = fonts.reduce((sum, file) => sum + statSync(path.join(BUILD, file)).size, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_FONT_BYTES);
});

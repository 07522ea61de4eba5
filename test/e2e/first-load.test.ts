import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { assemble } from '../../local/template/assembly.ts';

const BUILD = fileURLToPath(new URL('../../admin-ui/dist', import.meta.url));
const MOST_BYTES = 250_000;
const MOST_FONT_BYTES = 90_000;

assemble();

const index = readFileSync(path.join(BUILD, 'index.html'), 'utf8');
const sizeOf = (file: string): number => gzipSync(readFileSync(path.join(BUILD, file))).length;
const loaded = Array.from(index.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g), ([, file = '']) => file);

test('index.html loads or preloads at most 250 KB of JavaScript, gzipped', () => {
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThanOrEqual(MOST_BYTES);
});

test('every screen is a separate chunk, and the first load includes neither the editor nor the charts', () => {
  const screens = globSync('admin-ui/src/features/**/*-screen.tsx').map((file) =>
    path.basename(file, '.tsx'),
  );
  const parts = globSync('*.js', { cwd: path.join(BUILD, 'assets') });
  for (const screen of screens)
    expect(parts).toContainEqual(expect.stringMatching(new RegExp(`^${screen}-`)));
  for (const file of loaded) {
    const text = readFileSync(path.join(BUILD, file), 'utf8');
    expect(text).not.toMatch(/cm-content|recharts-wrapper/);
  }
});

test('index.html has no inline script and loads nothing from other origins', () => {
  expect(index).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(index).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('the site ships its fonts, at most 90 KB in total', () => {
  const fonts = globSync('assets/*.{woff,woff2,ttf,otf}', { cwd: BUILD });
  expect(fonts.length).toBe(3);
  const bytes = fonts.reduce((sum, file) => sum + statSync(path.join(BUILD, file)).size, 0);
  expect(bytes).toBeLessThanOrEqual(MOST_FONT_BYTES);
});

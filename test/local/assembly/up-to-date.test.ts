import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bringUpToDate } from '../../../local/assembly/assembly.ts';
import { newFolder } from '../../support/new-folder.ts';

let root: string;
let made: number;
beforeEach(() => {
  root = newFolder();
  for (const folder of ['src', 'out', 'dist']) mkdirSync(path.join(root, folder));
  write('src/a.ts', 'one');
  made = 0;
});

const write = (file: string, text: string): void => writeFileSync(path.join(root, file), text);
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Builds the output from the source, and may fail between its two files. */
const bring = (failHalfWay = false): number =>
  bringUpToDate(root, {
    name: 'part',
    title: 'the part',
    sources: ['src/*.ts'],
    outputs: ['out/**/*.*'],
    make: () => {
      made++;
      write('out/first.js', read('src/a.ts'));
      if (failHalfWay) throw new Error('killed');
      write('out/second.js', read('src/a.ts'));
    },
  });

test('the output is built once, until a source changes', () => {
  bring();
  bring();
  expect(made).toBe(1);
  write('src/a.ts', 'two');
  bring();
  expect([made, read('out/second.js')]).toEqual([2, 'two']);
});

test.each([
  ['was changed', () => write('out/first.js', 'of another command')],
  ['was removed', () => rmSync(path.join(root, 'out/second.js'))],
  ['was added', () => write('out/third.js', 'left over')],
])('an output that %s by something else is rebuilt', (_, change) => {
  bring();
  change();
  bring();
  expect([made, read('out/first.js'), existsSync(path.join(root, 'out/second.js'))]).toEqual([
    2,
    'one',
    true,
  ]);
});

test('an interrupted build is repeated, even if the sources are unchanged', () => {
  bring();
  write('src/a.ts', 'two');
  expect(() => bring(true)).toThrow('killed');
  write('src/a.ts', 'one');
  bring();
  expect([made, read('out/first.js'), read('out/second.js')]).toEqual([3, 'one', 'one']);
});

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readKeyFile } from '../../../local/aws/key-file.ts';
import { StartError } from '../../../local/start-error.ts';
import { newFolder } from '../../support/new-folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = newFolder();
  file = path.join(folder, 'kms.key');
});

test('the key is created once, readable only by its owner, and never changes', () => {
  const key = readKeyFile(file);
  expect(key.length).toBe(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).equals(key)).toBe(true);
  expect(readKeyFile(file).equals(key)).toBe(true);
  expect(readdirSync(folder)).toEqual(['kms.key']);
});

test('a file left by an interrupted start is harmless', () => {
  writeFileSync(`${file}.new`, 'half', { mode: 0o644 });
  expect(readKeyFile(file).length).toBe(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([0o640, 0o604, 0o620, 0o644])(
  'a file with mode %o is refused in one line that says what to do',
  (mode) => {
    readKeyFile(file);
    chmodSync(file, mode);
    expect(() => readKeyFile(file)).toThrow(
      new StartError(`The key file ${file} is accessible to other users: run "chmod 600 ${file}".`),
    );
  },
);

test.each([0, 31, 33])('a file of %i bytes is rejected, not replaced', (length) => {
  writeFileSync(file, Buffer.alloc(length), { mode: 0o600 });
  expect(() => readKeyFile(file)).toThrow(StartError);
  expect(readFileSync(file).length).toBe(length);
});

// What `run` does on Windows, on any system.
import { valueIn, windowsStart, withoutNames } from '../../../../clients/typescript/src/cli/find.ts';
import { inject } from '../../../../clients/typescript/src/cli/injection.ts';
import { type Json, vectorsIn } from '../../../support/vectors.ts';

const platform = Object.getOwnPropertyDescriptor(process, 'platform');
beforeAll(() => Object.defineProperty(process, 'platform', { ...platform, value: 'win32' }));
afterAll(() => Object.defineProperty(process, 'platform', platform ?? {}));

const NODE = 'C:\\Program Files\\nodejs';
const ENV = { Path: `C:\\Windows;${NODE}`, PathExt: '.COM;.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' };
const FILES = [`${NODE}\\npm`, `${NODE}\\npm.CMD`, `${NODE}\\node.EXE`, 'C:\\Windows\\node', 'own.cmd'];
const start = (command: string, args: readonly string[] = []) =>
  windowsStart(command, args, ENV, (path) => FILES.includes(path));

test('a command is found by PATH and PATHEXT; a program starts without a shell', () => {
  expect(start('node', ['a b'])).toEqual({ file: `${NODE}\\node.EXE`, args: ['a b'] });
  expect(start('node.EXE').file).toBe(`${NODE}\\node.EXE`);
  expect(start('npm', ['start'])).toEqual({
    file: 'C:\\Windows\\cmd.exe',
    args: ['/d', '/s', '/c', '"C:\\Program^ Files\\nodejs\\npm.CMD ^"start^""'],
    windowsVerbatimArguments: true,
  });
  expect(start('.\\own.cmd').args.at(-1)).toBe('"own.cmd"');
  expect(() => start('own')).toThrow('There is no command own.');
  expect(() => start('npm', ['a\nb'])).toThrow('must not contain line breaks');
});

const { cases } = vectorsIn('cmd-scripts');

test.each<Json>(cases)('arguments of $file reach it unchanged', ({ file, args, line }) => {
  expect(windowsStart(file, args, {}, () => true).args.at(-1)).toBe(`"${line}"`);
});

test('names of variables are the same in any case', () => {
  const inherited = { Database_Url: 'mine', Cuevault_Api_Key: 'k' };
  const rules = { allow: [], override: [] };
  expect(inject({ DATABASE_URL: 'theirs' }, inherited, rules).set).toEqual({});
  expect(withoutNames(inherited, ['CUEVAULT_API_KEY'])).toEqual({ Database_Url: 'mine' });
  expect(valueIn(inherited, 'DATABASE_URL')).toBe('mine');
});

import { execFileSync } from 'node:child_process';
import { parseEnv } from 'node:util';
import { parse as dotenv } from 'dotenv';
import fc from 'fast-check';
import { FORMATS, type Format, format } from '../../../clients/typescript/src/cli/commands/env.ts';
import { CliError } from '../../../clients/typescript/src/cli/exit-codes.ts';
import { setEnvironment, unsetOf } from '../../../clients/typescript/src/secrets/environment.ts';
import { type Json, vectorsIn } from '../../support/vectors.ts';

const { cases } = vectorsIn('dotenv');

const bySh = (text: string, names: readonly string[]): string[] => {
  const script = `${text}\nfor name in ${names.join(' ')}; do eval "printf '%s\\0' \\"\\$$name\\""; done`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
};

/** Parsers of .env files: Node's own, and the most common package. */
const READERS = [parseEnv, dotenv].map((read) => (text: string) => ({ ...read(text) }));

const value = fc.array(fc.constantFrom(...'aA1 \t\n\r\'"`#$\\={}!;&|nré日😀-_.,:('), { maxLength: 12 });
const secretsOf = (texts: readonly string[][]) =>
  Object.fromEntries(texts.map((text, i) => [`K${i}`, text.join('')]));

const refused = (secrets: Record<string, string>, form: Format): boolean => {
  try {
    format(secrets, form);
    return false;
  } catch (error) {
    return error instanceof CliError && error.exitCode === 6;
  }
};

test.each<Json>(cases)('a .env file: $title', ({ name = 'NAME', value, line }) => {
  const attempt = () => format({ [name]: value }, 'dotenv');
  if (line === null) expect(attempt).toThrow(expect.objectContaining({ exitCode: 6 }));
  else {
    expect(attempt()).toBe(`${line}\n`);
    for (const read of READERS) expect(read(attempt())).toEqual({ [name]: value });
  }
});

test('docker takes every value as it is, quotes and blanks included', () => {
  const secrets = { A: ` "b" 'c' # $d `, E: '' };
  expect(format(secrets, 'docker')).toBe(`A= "b" 'c' # $d \nE=\n`);
});

test('any values survive a shell', () => {
  const property = fc.property(fc.array(value, { minLength: 20, maxLength: 20 }), (texts) => {
    const secrets = secretsOf(texts);
    expect(bySh(format(secrets, 'shell'), Object.keys(secrets))).toEqual(Object.values(secrets));
  });
  fc.assert(property, { numRuns: 50 });
});

test('any values survive a .env file, or are rejected', () => {
  const property = fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (texts) => {
    const secrets = secretsOf(texts);
    fc.pre(!refused(secrets, 'dotenv'));
    for (const read of READERS) expect(read(format(secrets, 'dotenv'))).toEqual(secrets);
  });
  fc.assert(property, { numRuns: 3000 });
});

test('a shell that reads a .env file runs nothing, and gets the values but for backslashes', () => {
  const property = fc.property(fc.array(value, { minLength: 60, maxLength: 60 }), (texts) => {
    const secrets = Object.fromEntries(
      Object.entries(secretsOf(texts)).filter(([name, text]) => !refused({ [name]: text }, 'dotenv')),
    );
    const script = `PATH=/nowhere; ${format(secrets, 'dotenv')}`;
    const printed = bySh(script, Object.keys(secrets)).map((text) => text.replaceAll('\\', ''));
    expect(printed).toEqual(Object.values(secrets).map((text) => text.replaceAll('\\', '')));
  });
  fc.assert(property, { numRuns: 30 });
});

test.each([
  ['dotenv', 'both quotes', { A: 'it\'s "both"' }],
  ['dotenv', 'a name with blanks', { 'A B': 'c' }],
  ['docker', 'a line break', { A: 'b\nc' }],
  ['docker', 'a carriage return', { A: 'b\r' }],
  ['docker', 'a name that it takes for a comment', { '#A': 'c' }],
  ['docker', 'a name with blanks', { 'A B': 'c' }],
  ['docker', 'a line that it cuts', { A: 'x'.repeat(65_536) }],
  ['shell', 'a name that is no identifier', { 'A-B': 'c' }],
  ['shell', 'a name with a command', { 'A$(date)': 'c' }],
  ['shell', 'NUL', { A: 'a\0b' }],
] as const)('%s rejects %s, naming the secret but not its value', (form, _, secrets) => {
  const [[name = '', text = ''] = []] = Object.entries(secrets);
  const attempt = () => format(secrets, form);
  expect(attempt).toThrow(expect.objectContaining({ exitCode: 6 }));
  expect(attempt).toThrow(JSON.stringify(name));
  if (text.length > 1) expect(attempt).not.toThrow(text);
});

test('no secrets produce no lines', () => {
  expect(FORMATS.map((form) => format({}, form))).toEqual(['', '', '{}\n', '']);
});

const vectors = vectorsIn('environment');

test.each<Json>(vectors.cases)('set as every client does, and the others arrive: $title', (each) => {
  const { secrets, platform, allow, notSet } = each;
  const before = { ...process.env };
  const named = setEnvironment(secrets, { allow, windows: platform === 'windows' });
  const arrived = Object.keys(secrets).filter((name) => process.env[name] === secrets[name]);
  for (const name of arrived) delete process.env[name];
  Object.assign(process.env, before);
  expect({ named, arrived }).toEqual({
    named: notSet,
    arrived: Object.keys(secrets).filter((name) => !notSet.includes(name)),
  });
});

const asSecrets = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'v']));

test('every ordinary name is set, and no dangerous one', () => {
  expect(unsetOf(asSecrets(vectors.ordinary), { windows: true })).toEqual([]);
  const unset = unsetOf(asSecrets(vectors.dangerous), { windows: false });
  expect(unset.map(({ name }) => name)).toEqual(vectors.dangerous);
});

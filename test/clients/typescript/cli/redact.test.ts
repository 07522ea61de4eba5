import { Redactor } from '../../../../clients/typescript/src/cli/redact.ts';

/** What is printed when the output arrives in chunks of this size. */
const printed = (values: readonly string[], output: string | Buffer, size: number): Buffer => {
  const redactor = new Redactor(values);
  const bytes = Buffer.from(output);
  const chunks = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(redactor.push(bytes.subarray(at, at + size)));
  return Buffer.concat([...chunks, redactor.end()]);
};

test.each([
  ['a value', ['swordfish'], 'the swordfish swims', 'the [secret] swims'],
  ['a value that begins twice', ['abab!'], 'ababab!c', 'ab[secret]c'],
  ['the longest of several', ['pass', 'password', 'passw'], 'passwordpasswpass', '[secret][secret][secret]'],
  ['a value that is cut off at the end', ['swordfish'], 'a swordfis', 'a swordfis'],
  [
    'a value of several lines, line by line',
    ['-----KEY-----\nabcd\n'],
    '> -----KEY-----\n> abcd\n',
    '> [secret]\n> [secret]\n',
  ],
  ['a value in JSON', ['a"b\\c\nd'], '{"v":"a\\"b\\\\c\\nd"}', '{"v":"[secret]"}'],
  ['text beyond ASCII', ['schlüssel日'], 'der schlüssel日!', 'der [secret]!'],
  ['no short value', ['1', 'abc', ''], 'abc 1', 'abc 1'],
])('masks %s, wherever chunks end', (_, values, output, expected) => {
  for (const size of [1, 2, 3, 5, 1000]) expect(String(printed(values, output, size))).toBe(expected);
});

test('other bytes are printed unchanged', () => {
  const bytes = Buffer.from([...Array(256).keys()]);
  for (const size of [1, 7, 256]) expect(printed(['swordfish'], bytes, size)).toEqual(bytes);
});

test('output that cannot be the start of a value is not delayed', () => {
  const redactor = new Redactor(['swordfish']);
  expect(String(redactor.push(Buffer.from('Password: ')))).toBe('Password: ');
  expect(String(redactor.push(Buffer.from('sword')))).toBe('');
  expect(String(redactor.push(Buffer.from('play')))).toBe('swordplay');
});

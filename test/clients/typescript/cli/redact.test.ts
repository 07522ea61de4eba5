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
  ['values that overlap, as one', ['abcdef', 'defghi'], 'x abcdefghi x', 'x [secret] x'],
  ['a value that overlaps itself', ['aaaa'], 'x aaaaaaa x', 'x [secret] x'],
  ['a value in ASCII-only JSON', ['schlüssel日😀'], '"schl\\u00fcssel\\u65e5\\ud83d\\ude00"', '"[secret]"'],
  ['a value in HTML-safe JSON', ["a<b>&'c"], '"a\\u003cb\\u003e\\u0026\\u0027c"', '"[secret]"'],
  ['a value with escaped slashes', ['ab/cd'], '"ab\\/cd"', '"[secret]"'],
  [
    'a value in an address',
    ['a b/ü?'],
    'a%20b%2F%C3%BC%3F a+b%2F%C3%BC%3F a%20b%2f%c3%bc%3f',
    '[secret] [secret] [secret]',
  ],
  ['a value in hexadecimal', ['swordfish'], '73776f726466697368 73776F726466697368', '[secret] [secret]'],
  ['a value in Base64', ['??>>ü~'], 'Pz8+PsO8fg== Pz8-PsO8fg', '[secret] [secret]'],
  ['text beyond ASCII', ['schlüssel日'], 'der schlüssel日!', 'der [secret]!'],
  ['no short value', ['1', 'abc', ''], 'abc 1', 'abc 1'],
])('masks %s, wherever chunks end', (_, values, output, expected) => {
  for (const size of [1, 2, 3, 5, 1000]) expect(String(printed(values, output, size))).toBe(expected);
});

test.each([0, 1, 2, 3])('masks a value in the Base64 of a text that has %i bytes before it', (before) => {
  const text = Buffer.from(`${'u'.repeat(before)}swordfish-and-chips:p`).toString('base64');
  const shown = String(printed(['swordfish-and-chips'], `Basic ${text}`, 5));
  expect(shown).toMatch(/^Basic .{0,4}\[secret\].{0,6}$/);
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

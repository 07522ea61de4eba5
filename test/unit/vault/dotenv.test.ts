import { parse } from 'dotenv';
import fc from 'fast-check';
import { parseEnv } from '../../../lambdas/core/vault/dotenv.ts';

const valuesOf = (text: string): Record<string, string> => {
  const { pairs, problems } = parseEnv(text);
  expect(problems).toEqual([]);
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
};

test.each<[string, string, Record<string, string>]>([
  ['a plain value', 'A=b', { A: 'b' }],
  ['blanks around key and value', '  A  =  b c  ', { A: 'b c' }],
  ['an empty value', 'A=\nB=""\nC=   # none', { A: '', B: '', C: '' }],
  ['export', 'export A=b\nexport\tB=c\nexport=d', { A: 'b', B: 'c', export: 'd' }],
  ['a colon in place of =', 'A: b\nB:\tc', { A: 'b', B: 'c' }],
  ['comments and blank lines', '# no\n\n  # no\nA=b # c\n\t\nB="c"# d\n', { A: 'b', B: 'c' }],
  ['# inside quotes', `A="b # c"\nB='#'\nC=\`d#e\``, { A: 'b # c', B: '#', C: 'd#e' }],
  ['blanks inside quotes', 'A="  b  "', { A: '  b  ' }],
  [
    '\\n and \\r in double quotes alone',
    `A="x\\ny\\rz"\nB='x\\ny'\nC=x\\ny`,
    { A: 'x\ny\rz', B: 'x\\ny', C: 'x\\ny' },
  ],
  [
    'quotes within others',
    `A='say "hi"'\nB="it's"\nC=it's "so"`,
    {
      A: 'say "hi"',
      B: "it's",
      C: 'it\'s "so"',
    },
  ],
  ['quotes with a backslash before them', `A="say \\"hi\\""`, { A: 'say \\"hi\\"' }],
  ['a backslash before the closing quote', 'A="C:\\dir\\"', { A: 'C:\\dir\\' }],
  ['values of several lines', 'A="1\n\n# 2\nB=3"\nC=4', { A: '1\n\n# 2\nB=3', C: '4' }],
  ['line ends of Windows and of old Macs', 'A=1\r\nB="2\r\n3"\rC=4', { A: '1', B: '2\n3', C: '4' }],
  ['a byte order mark', '\uFEFFA=b', { A: 'b' }],
  ['keys with dots, dashes and digits', 'a.b-c_1=d\n1=e', { 'a.b-c_1': 'd', 1: 'e' }],
  ['= in a value', 'A=b=c==', { A: 'b=c==' }],
  ['no line end at the end, and none but that', '', {}],
])('%s is read as dotenv reads it', (_, text, expected) => {
  expect(valuesOf(text)).toEqual(expected);
  expect(parse(text)).toEqual(expected);
});

test.each<[string, string, readonly number[], RegExp]>([
  ['a line that is not an assignment', 'A=b\noops\nalso oops\nB=c', [2, 3], /KEY=value/],
  ['a key of other characters', 'A B=c\nÄ=d\n=e', [1, 2, 3], /KEY=value/],
  ['a colon at the end of a line', 'A:\nB=c', [1], /KEY=value/],
  ['a quote that is not closed', 'A="b\nB=c', [1], /quote/],
  ['text after a closing quote', `A='b' c\nB=d`, [1], /quote/],
  ['a value on the line after its key', 'A=\n"b"', [2], /KEY=value/],
  ['# in the middle of a word', 'A=b#c', [1], /#/],
  ['a key that stands there twice', 'A=b\nB=c\n\nA=d', [4], /same key as line 1/],
  ['a value above 64 KB', `B=c\nA=${'é'.repeat(32_769)}`, [2], /65536 bytes/],
  ['a key above 512 bytes', `${'A'.repeat(513)}=b`, [1], /512 bytes/],
  ['a Unicode line separator', 'A=b\u2028B=c', [1], /separator/],
  ['one alone', 'A=b\n\u2029', [2], /KEY=value/],
])('%s is reported with its line', (_, text, lines, message) => {
  const { problems } = parseEnv(text);
  expect(problems).toEqual(lines.map((line) => ({ line, message: expect.stringMatching(message) })));
});

test('the message never contains the content of the line', () => {
  const { problems } = parseEnv(
    "MARKED1\nMARKED2=\"x\nMARKED3=MARKED4#MARKED5\nMARKED6: y\nMARKED6=z\nMARKED7='a'MARKED8",
  );
  expect(problems).toHaveLength(5);
  expect(JSON.stringify(problems)).not.toContain('MARKED');
});

test('a problem affects only its own line: the lines after it are read', () => {
  const { pairs, problems } = parseEnv('A="open\nB=2\nC=x#y\nD="4\n5"\nE=6');
  expect(problems.map(({ line }) => line)).toEqual([1, 3]);
  expect(pairs).toEqual([
    { key: 'B', value: '2', line: 2 },
    { key: 'D', value: '4\n5', line: 4 },
    { key: 'E', value: '6', line: 6 },
  ]);
});

const PIECES = [
  ...['A', 'B', 'C', 'export', ' ', '  ', '\t', '=', '=', '=', ':', ': ', '\n', '\n', '\n', '\r\n', '\r'],
  ...['"', '"', "'", "'", '`', '\\', '\\n', '\\"', "\\'", '#', ' #', 'x', 'y z', 'é', '\u00a0', '\u2028'],
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

test('accepted text is parsed as dotenv parses it', () => {
  fc.assert(
    fc.property(soup, (text) => {
      const { pairs, problems } = parseEnv(text);
      if (problems.length > 0) return;
      expect(Object.fromEntries(pairs.map(({ key, value }) => [key, value]))).toEqual(parse(text));
    }),
    { numRuns: 20_000 },
  );
});

test.each([`A=\`${'\\`'.repeat(800_000)}`, `A="${'\\"'.repeat(600_000)}`, `A="${'\\"#'.repeat(500_000)}`])(
  'a text of escaped quotes alone is read',
  (text) => {
    expect(parseEnv(text).problems.length + parseEnv(text).pairs.length).toBe(1);
  },
);

const key = fc.stringMatching(/^[\w.-]{1,8}$/).filter((name) => name !== '__proto__');
const quotable = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((value) => !/['\r\u2028\u2029\\]/.test(value));

test('values in single quotes are returned unchanged', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, quotable), { selector: ([name]) => name }), (assignments) => {
      const text = assignments.map(([name, value]) => `${name}='${value}'`).join('\n');
      expect(valuesOf(text)).toEqual(Object.fromEntries(assignments));
    }),
  );
});

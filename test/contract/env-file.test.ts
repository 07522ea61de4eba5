import { execFileSync } from 'node:child_process';
import { parseEnv as nodeParse } from 'node:util';
import { parse as dotenv } from 'dotenv';
import fc from 'fast-check';
import { parseEnv } from '../../contract/env-file.ts';

const { cases } = vectorsIn('env-file');

const read = (text: string) => {
  const { pairs, problems, notes } = parseEnv(text);
  return { values: Object.fromEntries(pairs.map(({ key, value }) => [key, value])), problems, notes };
};

test.each<Json>(cases)('as every client reads it: $title', ({ text, values, problems = [], notes = [] }) => {
  const found = read(text);
  const remark = (line: number) => ({ line, message: expect.stringMatching(/^\w/) });
  expect(found).toEqual({ values, problems: problems.map(remark), notes: notes.map(remark) });
  if (problems.length === 0) expect(dotenv(text)).toEqual(values);
});

test('a remark never contains the content of the line', () => {
  const { problems, notes } = read(
    "MARKED1\nMARKED2=\"x\nMARKED3=MARKED4#MARKED5\nMARKED6=$MARKED\nMARKED6=z\nMARKED7='a'MARKED8",
  );
  expect([problems.length, notes.length]).toEqual([5, 1]);
  expect(JSON.stringify([problems, notes])).not.toContain('MARKED');
});

const PYTHON = `
import io, json, logging, sys
from dotenv import dotenv_values
logging.disable()
print(json.dumps([dotenv_values(stream=io.StringIO(text, newline=None)) for text in json.load(sys.stdin)]))
`;

import { type Json, vectorsIn } from '../support/vectors.ts';

const pythonDotenv = (texts: readonly string[]): Record<string, string>[] =>
  JSON.parse(
    execFileSync('clients/python/.venv/bin/python', ['-c', PYTHON], {
      input: JSON.stringify(texts),
      encoding: 'utf8',
      // A variable of this process would be a value for ${NAME}.
      env: {},
      maxBuffer: 2 ** 28,
    }),
  );

const HASHES = [
  '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG',
];
const PIECES = [
  'A',
  'x',
  'y z',
  'é',
  'export',
  ' ',
  '  ',
  '\t',
  '=',
  ':',
  '-',
  '/',
  '+',
  '$',
  '${',
  '}',
  '#',
  ' #',
  '"',
  "'",
  '`',
  '\\',
  '\\n',
  '\\t',
  '\\"',
  "\\'",
  '\r',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\0',
  '\x0b',
  '\x85',
];
const pieces = (more: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...PIECES, ...more), { maxLength }).map((parts) => parts.join(''));
const value = fc
  .tuple(fc.constantFrom('', '"', "'", '`'), pieces(HASHES, 6), fc.constantFrom('', ' ', ' #c', '#c'))
  .map(([quote, inner, rest]) => quote + inner + quote + rest);
const line = fc
  .tuple(fc.constantFrom('A', 'B', 'C.d', 'export D', 'export  E'), fc.constantFrom('=', ' = ', '= '), value)
  .map((parts) => parts.join(''));
const lines = fc.array(line, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
const soup = pieces(['=', '=', '\n', '\n', '\r\n', '\nA=', '\nB="', "\nC='"], 30);

/** Node takes an indented comment for a variable whose name begins with #. */
const byNode = (text: string) =>
  Object.fromEntries(Object.entries(nodeParse(text)).filter(([name]) => !name.startsWith('#')));

test('dotenv, Node and python-dotenv read the same, or the line has a problem or a note', () => {
  const texts = fc.sample(fc.oneof(lines, lines, soup), 20_000);
  const python = pythonDotenv(texts);
  const counts = { same: 0, noted: 0, refused: 0 };
  for (const [index, text] of texts.entries()) {
    const { values, problems, notes } = read(text);
    if (problems.length > 0) {
      counts.refused += 1;
      continue;
    }
    expect([text, dotenv(text)]).toEqual([text, values]);
    counts[notes.length > 0 ? 'noted' : 'same'] += 1;
    if (notes.length === 0) expect([text, byNode(text), python[index]]).toEqual([text, values, values]);
  }
  // So that refusing everything would not pass.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(1_000);
});

test.each([`A=\`${'\\`'.repeat(800_000)}`, `A="${'\\"'.repeat(600_000)}`, `A="${'\\"#'.repeat(500_000)}`])(
  'a text of escaped quotes alone is read',
  (text) => {
    expect(parseEnv(text).problems).toHaveLength(1);
  },
);

const key = fc.stringMatching(/^[\w.-]{1,8}$/).filter((name) => name !== '__proto__');
const quotable = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !/['\r\0\u2028\u2029\\]/.test(text));

test('values in single quotes are returned unchanged', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(key, quotable), { selector: ([name]) => name }), (assignments) => {
      const text = assignments.map(([name, quoted]) => `${name}='${quoted}'`).join('\n');
      expect(read(text)).toMatchObject({ values: Object.fromEntries(assignments), problems: [] });
    }),
  );
});

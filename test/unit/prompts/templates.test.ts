import fc from 'fast-check';
import { variablesOf } from '../../../contract/content/templates.ts';
import { compile } from '../../support/compile.ts';
import { anyText } from '../../support/random.ts';
import { type Json, vectorsIn } from '../../support/vectors.ts';

const { vectors } = vectorsIn('templates');

describe('shared vectors', () => {
  test.each<Json>(vectors)('$title', (vector) => {
    expect(compile(vector.template, vector.variables)).toEqual({
      text: vector.compiled,
      missing: vector.missing,
    });
    expect(variablesOf(vector.template)).toEqual(vector.variablesOf);
  });
});

const plainText = anyText.map((text) => text.replaceAll('{', '('));
const placeholderName = fc.stringMatching(/^[^{} \t\n\r\f\v]+$/);
const placeholder = placeholderName.map((name) => `{{${name}}}`);
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', '\f', '\v'), maxLength: 3 });

test('each placeholder is replaced by exactly its value, whatever the value and the surrounding text', () => {
  const piece = fc.tuple(plainText, blanks, placeholderName, blanks, fc.oneof(anyText, placeholder));
  fc.assert(
    fc.property(fc.array(piece), plainText, (pieces, tail) => {
      const values = new Map(pieces.map(([, , name, , value]) => [name, value]));
      const template = pieces.map(([text, before, name, after]) => `${text}{{${before}${name}${after}}}`);
      const expected = pieces.map(([text, , name]) => text + values.get(name));
      const { text } = compile(template.join('') + tail, Object.fromEntries(values));
      expect(text).toBe(expected.join('') + tail);
    }),
  );
});

test('a value that JSON cannot express counts as absent', () => {
  const variables = { a: JSON.parse('1e400') as number, b: undefined };
  expect(compile('{{a}}{{b}}', variables)).toEqual({ text: '{{a}}{{b}}', missing: ['a', 'b'] });
});

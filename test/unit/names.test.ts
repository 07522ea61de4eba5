import { isCuevaultError } from '../../lambdas/core/errors.ts';
import { checkNewName } from '../../lambdas/core/names.ts';

const refusal = (name: string): string | undefined => {
  try {
    checkNewName('name', name);
    return undefined;
  } catch (error) {
    return isCuevaultError(error, 'invalid_request') ? error.message : String(error);
  }
};

test.each([['greeting', 'support/réponse', '支払い', 'Ελληνικά', 'a b', 'x_y-z.1', '🙂', 'naïve', 'עברית']])(
  'names that look different are accepted',
  (...names) => {
    for (const name of names) expect([name, refusal(name)]).toEqual([name, undefined]);
  },
);

test.each([
  ['a right-to-left override', 'gnp\u202e.exe', 'U+202E'],
  ['a bidirectional isolate', 'a\u2066b', 'U+2066'],
  ['a zero-width blank', 'greet\u200bing', 'U+200B'],
  ['a zero-width joiner', 'a\u200db', 'U+200D'],
  ['a soft hyphen', 'gree\u00adting', 'U+00AD'],
  ['a byte order mark', '\ufeffgreeting', 'U+FEFF'],
  ['a Hangul filler', 'a\u3164', 'U+3164'],
  ['a variation selector', 'a\ufe0f', 'U+FE0F'],
  ['a tag character', 'a\u{e0041}', 'U+E0041'],
  ['a no-break blank', 'a\u00a0b', 'U+00A0'],
  ['an ideographic blank', 'a\u3000b', 'U+3000'],
  ['an empty Braille pattern', 'a\u2800b', 'U+2800'],
  ['a line separator', 'a\u2028b', 'U+2028'],
  ['a control character', 'a\nb', 'U+000A'],
  ['a character of private use', 'a\ue000', 'U+E000'],
])('%s is rejected with its code point', (_, name, code) => {
  expect(refusal(name)).toBe(`"name" contains ${code}, an invisible character. Remove it.`);
});

test('surrounding spaces are rejected', () => {
  for (const name of [' a', 'a ']) expect(refusal(name)).toContain('space');
});

import { checkTags } from '../../../lambdas/core/tags.ts';
import {
  byKey,
  carriesAll,
  checkImport,
  checkSecretKey,
  checkSecretValue,
} from '../../../lambdas/core/vault/secrets.ts';

const refused = expect.objectContaining({ code: 'invalid_request' });

test.each(['A', '__proto__', 'constructor', 'with blank', 'é'.repeat(256)])(
  'the key %j is accepted',
  (key) => {
    expect(() => checkSecretKey(key)).not.toThrow();
  },
);

test.each(['', 'A=B', 'line\nbreak', 'del\u007f', 'é'.repeat(257), '\udc00'])(
  'the key %j is refused',
  (key) => {
    expect(() => checkSecretKey(key)).toThrow(refused);
  },
);

test('a value may be empty and up to 64 KB long, counted in bytes', () => {
  expect(() => checkSecretValue('')).not.toThrow();
  expect(() => checkSecretValue('é'.repeat(32 * 1024))).not.toThrow();
  expect(() => checkSecretValue(`${'é'.repeat(32 * 1024)}x`)).toThrow(refused);
});

test('each tag counts once, and fifty may be given', () => {
  const fifty = Array.from({ length: 50 }, (_, n) => `tag-${n}`);
  expect(checkTags([...fifty, ...fifty])).toEqual(fifty);
  expect(() => checkTags([...fifty, 'one more'])).toThrow(refused);
});

test.each(['', 'x'.repeat(129), '\ud800'])('the tag %j is rejected', (tag) => {
  expect(() => checkTags([tag])).toThrow(refused);
});

test('an import names a duplicate key', () => {
  const twice = [
    { key: 'TWICE', value: 'a' },
    { key: 'TWICE', value: 'b' },
  ];
  expect(() => checkImport(twice)).toThrow('TWICE');
});

test('a secret matches a filter if it has every tag, and no tags mean no filter', () => {
  expect(carriesAll({ tags: ['a', 'b'] }, ['b', 'a'])).toBe(true);
  expect(carriesAll({ tags: ['a', 'b'] }, ['a', 'c'])).toBe(false);
  expect(carriesAll({ tags: [] }, [])).toBe(true);
});

test('keys are ordered by code units, the same everywhere', () => {
  const keys = ['b', 'B', 'é', 'a', 'Z'].map((key) => ({ key }));
  expect(keys.sort(byKey).map(({ key }) => key)).toEqual(['B', 'Z', 'a', 'b', 'é']);
});

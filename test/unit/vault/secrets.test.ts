import { byKey, carriesAll } from '../../../lambdas/core/vault/secrets.ts';

test('a secret matches a filter if it has every tag, and no tags mean no filter', () => {
  expect(carriesAll({ tags: ['a', 'b'] }, ['b', 'a'])).toBe(true);
  expect(carriesAll({ tags: ['a', 'b'] }, ['a', 'c'])).toBe(false);
  expect(carriesAll({ tags: [] }, [])).toBe(true);
});

test('keys are ordered by code units, the same everywhere', () => {
  const keys = ['b', 'B', 'é', 'a', 'Z'].map((key) => ({ key }));
  expect(keys.sort(byKey).map(({ key }) => key)).toEqual(['B', 'Z', 'a', 'b', 'é']);
});

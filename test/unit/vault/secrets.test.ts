import { byKey } from '../../../lambdas/core/vault/secrets.ts';

test('keys are ordered by code units, the same everywhere', () => {
  const keys = ['b', 'B', 'é', 'a', 'Z'].map((key) => ({ key }));
  expect(keys.sort(byKey).map(({ key }) => key)).toEqual(['B', 'Z', 'a', 'b', 'é']);
});

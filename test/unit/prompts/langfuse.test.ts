import fc from 'fast-check';
import { versionOfInteger } from '../../../lambdas/core/prompts/langfuse.ts';
import { integerOf } from '../../../lambdas/core/prompts/prompts.ts';

test.each([
  [1, '1.0.0'],
  [999_999, '999999.0.0'],
  [1_000_000, '1.0.0'],
  [1_002_003, '1.2.3'],
  [12_999_999, '12.999.999'],
  [999_999_999_999_999, '999999999.999.999'],
])('the whole number %d is the version %s', (integer, version) => {
  expect(versionOfInteger(integer)).toBe(version);
});

test.each(['0.1.0', '1.1000.0', '1.0.1000'])('the version %s has no whole number', (version) => {
  expect(integerOf(version)).toBe(0);
});

test('every other version has a whole number that leads back to it, and they keep its order', () => {
  const version = fc.tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.nat(999), fc.nat(999));
  fc.assert(
    fc.property(version, version, (one, other) => {
      const [first, second] = [one, other].map((parts) => integerOf(parts.join('.')));
      expect(versionOfInteger(first ?? 0)).toBe(one.join('.'));
      const order =
        one.map((part, index) => part - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
      expect(Math.sign((first ?? 0) - (second ?? 0))).toBe(Math.sign(order));
    }),
  );
});

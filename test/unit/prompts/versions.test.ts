import fc from 'fast-check';
import { version as versionField } from '../../../contract/fields/fields.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { compareVersions, higherVersion } from '../../../contract/versions.ts';
import { versionSortKey } from '../../../lambdas/core/prompts/prompts.ts';
import { bumpVersion } from '../../../lambdas/core/prompts/versions.ts';

const part = fc.oneof(fc.nat(20), fc.integer({ min: 0, max: LIMITS.versionPart }));
const version = fc.tuple(part, part, part).map((parts) => parts.join('.'));
const sign = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

test('sort keys are in the order of precedence', () => {
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(sign(versionSortKey(a), versionSortKey(b))).toBe(compareVersions(a, b));
    }),
  );
});

test.each([
  ['1.10.0', '000000001.000000010.000000000'],
  ['999999999.999999999.999999999', '999999999.999999999.999999999'],
])('the sort key of %s has nine digits for each part', (version, key) => {
  expect(versionSortKey(version)).toBe(key);
});

test.each([
  ['1.9.0', '1.10.0'],
  ['2.0.0', '10.0.0'],
  ['1.2.3', '1.2.4'],
])('%s is below %s', (lower, higher) => {
  expect(compareVersions(lower, higher)).toBeLessThan(0);
  expect(compareVersions(higher, lower)).toBeGreaterThan(0);
  expect(higherVersion(lower, higher)).toBe(higher);
  expect(higherVersion(higher, lower)).toBe(higher);
});

test.each([
  ['999999999.0.0', 'major'],
  ['1.999999999.0', 'minor'],
  ['1.0.999999999', 'patch'],
] as const)('%s has no next %s version', (from, bumped) => {
  expect(() => bumpVersion(from, bumped)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

test.each([
  '',
  '1',
  '1.2',
  '1.2.3.4',
  'v1.2.3',
  ' 1.2.3',
  '1.2.3 ',
  '01.2.3',
  '1.2.3-rc.1',
  '1.2.3+b',
  '1.2.x',
  '-1.2.3',
  '1000000000.0.0',
  '1.2.99999999999999999999',
  '1.2.３',
])('not a version: %j', (text) => {
  expect(versionField.safeParse(text).success).toBe(false);
});

import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { hashApiKey, keyIn, matchesHash } from '../../../lambdas/core/api-keys/api-keys.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';
import { anyText } from '../../support/random.ts';

const { apiKey, keyId, hash } = generateApiKey();
const replaceAt = (at: number, character: string) => apiKey.slice(0, at) + character + apiKey.slice(at + 1);

test('a new key has the documented form and leads to its key id', () => {
  expect(apiKey).toMatch(/^cue_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  expect(keyIn(apiKey)).toEqual({ apiKey, keyId });
  expect(apiKey.slice(4, 12)).toBe(keyId);
});

test('the checksum is the CRC-32 of everything before it', () => {
  const body = `cue_AAAAAAAA_${'0'.repeat(32)}`;
  // CRC-32 of that text is 0x374fdc92, which is 10niAU in base 62.
  expect(keyIn(`${body}10niAU`)?.keyId).toBe('AAAAAAAA');
  expect(keyIn(`${body}10niAV`)).toBeUndefined();
});

const digits = [...apiKey];
const rest = apiKey.slice(4);

test.each<[string, readonly string[]]>([
  ['one mistyped character', digits.flatMap((_, at) => [...'09AZaz_ -é'].map((each) => replaceAt(at, each)))],
  [
    'two adjacent characters swapped',
    digits.map(
      (digit, at) => replaceAt(at, apiKey[at + 1] ?? '').slice(0, at + 1) + digit + apiKey.slice(at + 2),
    ),
  ],
  ['the end cut off', digits.map((_, length) => apiKey.slice(0, length))],
  [
    'something added',
    [`${apiKey}0`, `${apiKey}\n`, ` ${apiKey}`, `${apiKey} `, `x${apiKey}`, apiKey + apiKey],
  ],
  [
    'another prefix',
    ['CUE_', 'cue-', 'key_', 'сue_', 'cuе_', 'ｃue_', 'cue＿', 'cue_\u200b', ''].map(
      (prefix) => prefix + rest,
    ),
  ],
  ['a lookalike of another alphabet', ['٣', '３', 'А', 'ο', '𝟎'].map((digit) => replaceAt(20, digit))],
])('a key with %s is rejected', (_, changed) => {
  const others = changed.filter((each) => each !== apiKey);
  expect(others.length).toBeGreaterThan(4);
  expect(others.filter((each) => keyIn(each) !== undefined)).toEqual([]);
});

test('parsing never throws, whatever the text', () => {
  fc.assert(fc.property(anyText, (text) => keyIn(text) === undefined));
});

test('the stored hash is the SHA-256 of the key and matches only this key', () => {
  expect(hash).toBe(createHash('sha256').update(apiKey).digest('hex'));
  expect(hashApiKey(apiKey)).toBe(hash);
  expect(matchesHash(apiKey, hash)).toBe(true);
  expect(matchesHash(generateApiKey().apiKey, hash)).toBe(false);
  expect(matchesHash(replaceAt(50, apiKey[50] === 'a' ? 'b' : 'a'), hash)).toBe(false);
});

test.each(['', 'junk', hash.slice(2), `${hash}00`])(
  'a hash of another length matches nothing (%#)',
  (kept) => {
    expect(matchesHash(apiKey, kept)).toBe(false);
  },
);

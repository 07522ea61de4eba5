import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { hashApiKey, keyIn, matchesHash } from '../../../lambdas/core/api-keys/api-keys.ts';
import { generateApiKey } from '../../../lambdas/core/api-keys/new-key.ts';

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

test('no two keys are equal', () => {
  const keys = Array.from({ length: 500 }, generateApiKey);
  expect(new Set(keys.map((key) => key.apiKey)).size).toBe(500);
  expect(new Set(keys.map((key) => key.keyId)).size).toBe(500);
});

test('a key with one mistyped character anywhere is rejected', () => {
  for (let at = 0; at < apiKey.length; at++) {
    for (const character of '09AZaz_ -é') {
      if (character !== apiKey[at]) expect(keyIn(replaceAt(at, character))).toBeUndefined();
    }
  }
});

test('a key with two adjacent characters swapped is rejected', () => {
  for (let at = 0; at + 1 < apiKey.length; at++) {
    const [first = '', second = ''] = apiKey.slice(at, at + 2);
    if (first !== second) {
      expect(keyIn(apiKey.slice(0, at) + second + first + apiKey.slice(at + 2))).toBeUndefined();
    }
  }
});

test('a key that is truncated anywhere, or extended, is rejected', () => {
  for (let length = 0; length < apiKey.length; length++) {
    expect(keyIn(apiKey.slice(0, length))).toBeUndefined();
  }
  for (const extended of [
    `${apiKey}0`,
    `${apiKey}\n`,
    ` ${apiKey}`,
    `${apiKey} `,
    `x${apiKey}`,
    apiKey + apiKey,
  ]) {
    expect(keyIn(extended)).toBeUndefined();
  }
});

test('another prefix and lookalikes of other alphabets are rejected', () => {
  const rest = apiKey.slice(4);
  for (const prefix of ['CUE_', 'cue-', 'key_', 'сue_', 'cuе_', 'ｃue_', 'cue＿', 'cue_\u200b', '']) {
    expect(keyIn(prefix + rest)).toBeUndefined();
  }
  for (const digit of ['٣', '３', 'А', 'ο', '𝟎']) expect(keyIn(replaceAt(20, digit))).toBeUndefined();
});

test('parsing never throws, whatever the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => keyIn(text) === undefined));
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

import { createHash } from 'node:crypto';
import { promptIdOf, randomBase62, toBase62 } from '../../lambdas/core/identifiers.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const fromBase62 = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);

test('a prompt id is the same for the same name, and made of 22 base-62 digits of its SHA-256, with zeros before them', () => {
  expect(toBase62(61n, 4)).toBe('000z');
  const name = 'grüße/日本語 😀';
  const digest = BigInt(`0x${createHash('sha256').update(name, 'utf8').digest('hex')}`);
  expect(promptIdOf(name)).toMatch(/^prm_[0-9A-Za-z]{22}$/);
  expect(fromBase62(promptIdOf(name).slice(4))).toBe(digest % 62n ** 22n);
  expect(promptIdOf(name)).toBe(promptIdOf(name));
});

test('random texts have their length, use every digit, and do not repeat', () => {
  const texts = Array.from({ length: 500 }, () => randomBase62(32));
  expect(texts.every((text) => /^[0-9A-Za-z]{32}$/.test(text))).toBe(true);
  expect(new Set(texts).size).toBe(texts.length);
  expect(new Set(texts.join('')).size).toBe(62);
});

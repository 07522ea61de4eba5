import fc from 'fast-check';
import { itemBytes } from '../../../lambdas/core/item-size.ts';
import {
  fromRow,
  hashBits,
  pageBytes,
  pageOf,
  splitPage,
  tally,
  toRow,
} from '../../../lambdas/core/vault/pages.ts';
import type { SecretEntry } from '../../../lambdas/core/vault/secrets.ts';

const entry = (key: string, valueBytes: number): SecretEntry => ({
  key,
  secretId: 's'.repeat(22),
  tags: [],
  number: 1,
  highest: 1,
  keyVersion: 1,
  bytes: valueBytes,
  box: new Uint8Array(valueBytes + 81),
  createdAt: '2026-03-01T12:00:00.000Z',
  createdBy: 'operator@example.com',
  changedAt: '2026-03-01T12:00:00.000Z',
  changedBy: 'operator@example.com',
});

const entries = (count: number, valueBytes: number) =>
  Array.from({ length: count }, (_, n) => entry(`KEY_${n}`, valueBytes));

test('a key is hashed to the bits of its SHA-256', () => {
  expect(hashBits('abc')).toHaveLength(256);
  expect(
    BigInt(`0b${hashBits('abc')}`)
      .toString(16)
      .padStart(64, '0'),
  ).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a hash that starts with zeros keeps them', () => {
  const keys = Array.from({ length: 200 }, (_, n) => `k${n}`);
  expect(keys.every((key) => hashBits(key).length === 256)).toBe(true);
  expect(keys.some((key) => hashBits(key).startsWith('0000'))).toBe(true);
});

test('an entry comes back from its row as it was', () => {
  const one = entry('KEY', 10);
  expect(fromRow(toRow(one))).toEqual(one);
});

test('a small page stays whole', () => {
  const page = { prefix: '', entries: entries(100, 64) };
  expect(splitPage(page, 0)).toEqual([page]);
});

test('after a split every key has exactly one page, the one whose prefix starts its hash', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 }), (keys) => {
      const pages = splitPage({ prefix: '', entries: keys.map((key) => entry(key, 9_000)) }, 0);
      expect(tally(pages).count).toBe(keys.length);
      for (const key of keys) {
        const holders = pages.filter((page) => page.entries.some((one) => one.key === key));
        expect(holders).toEqual([pageOf(pages, key)]);
        expect(pages.filter(({ prefix }) => hashBits(key).startsWith(prefix))).toHaveLength(1);
      }
    }),
    { numRuns: 50 },
  );
});

test('while there are few pages none passes 128 KB', () => {
  const pages = splitPage({ prefix: '', entries: entries(2_000, 256) }, 0);
  expect(pages.length).toBeLessThanOrEqual(16);
  for (const page of pages) expect(pageBytes(page)).toBeLessThanOrEqual(128 * 1024);
});

test('from 64 pages on a page may grow to 350 KB, and splits beyond', () => {
  const page = { prefix: '', entries: entries(5, 60_000) };
  expect(splitPage(page, 63)).toEqual([page]);
  expect(splitPage(page, 62).length).toBeGreaterThan(1);
  const larger = { prefix: '', entries: entries(12, 60_000) };
  for (const part of splitPage(larger, 63)) expect(pageBytes(part)).toBeLessThanOrEqual(350 * 1024);
});

test('a full vault of the largest values and keys fits pages below 400 KB, and their names fit the head', () => {
  const all = Array.from({ length: 5_000 }, (_, n) => ({
    ...entry(`${n}`.padEnd(512, 'x'), 4_194),
    tags: Array.from({ length: 50 }, (_, tag) => `${tag}`.padEnd(128, 'y')),
  }));
  const pages = splitPage({ prefix: '', entries: all }, 0);
  expect(tally(pages).count).toBe(5_000);
  for (const page of pages) expect(pageBytes(page)).toBeLessThan(400 * 1024);
  const refs = pages.map(({ prefix }) => ({ prefix, id: 'i'.repeat(22), keyVersion: 1 }));
  expect(itemBytes({ pages: refs })).toBeLessThan(100 * 1024);
});

test('sizes are counted as DynamoDB counts them', () => {
  expect(itemBytes({ pk: 'é', n: 12345, b: new Uint8Array(7), t: true })).toBe(2 + 2 + 1 + 4 + 1 + 7 + 1 + 1);
  expect(itemBytes({ l: ['a', 'b'], m: { k: 'v' } })).toBe(1 + 3 + 2 * 2 + 1 + 3 + 1 + 2);
});

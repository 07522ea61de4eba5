import fc from 'fast-check';
import { encodePage, splitPage, tally } from '../../../lambdas/core/vault/page-writes.ts';
import {
  decodePage,
  hashBits,
  packRefs,
  pageDigest,
  pageFor,
  unpackRefs,
  type VaultPage,
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
  earlier: [],
  createdAt: '2026-03-01T12:00:00.000Z',
  createdBy: 'operator@example.com',
  changedAt: '2026-03-01T12:00:00.000Z',
  changedBy: 'operator@example.com',
});

const entries = (count: number, valueBytes: number) =>
  Array.from({ length: count }, (_, n) => entry(`KEY_${n}`, valueBytes));

const pageBytes = (page: VaultPage): number => encodePage(page).length;

test('a key is hashed to the bits of its SHA-256, zeros at the start included', () => {
  const hashes = Array.from({ length: 200 }, (_, n) => hashBits(`k${n}`));
  expect(hashes.every((hash) => hash.length === 256)).toBe(true);
  expect(hashes.some((hash) => hash.startsWith('0000'))).toBe(true);
  expect(
    BigInt(`0b${hashBits('abc')}`)
      .toString(16)
      .padStart(64, '0'),
  ).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

const names = fc.string({ unit: 'grapheme', maxLength: 20 });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const withoutNotes = fc.record({
  key: names,
  secretId: names,
  tags: fc.array(names, { maxLength: 3 }),
  number: fc.nat(),
  highest: fc.nat(),
  keyVersion: fc.nat(),
  bytes: fc.nat(),
  box: fc.uint8Array({ maxLength: 200 }),
  earlier: fc.array(fc.record({ number: fc.nat(), keyVersion: fc.nat(), digest: bytes(32) }), {
    maxLength: 3,
  }),
  createdAt: names,
  createdBy: names,
  changedAt: names,
  changedBy: names,
});
const text = names.filter((name) => name !== '');
const notes = fc.record(
  { note: text, rotateBy: text, switchedOff: fc.record({ upTo: fc.nat(), at: names, by: names }) },
  { requiredKeys: [] },
);
const anyEntry: fc.Arbitrary<SecretEntry> = fc
  .tuple(withoutNotes, fc.option(notes, { nil: {} }))
  .map(([entry, noted]) => ({ ...entry, ...noted }));

/** The same with plain arrays in the place of bytes. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
};

test('a page is decoded to what was encoded, whatever the names of its secrets', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 5 }), (all) => {
      const page = { prefix: '01', entries: all };
      expect(plain(decodePage(encodePage(page)))).toEqual(plain(page));
    }),
  );
});

test('its digest is the SHA-256 of all its bytes, and another one each time it is encoded', () => {
  const content = { prefix: '', entries: entries(3, 10) };
  const page = encodePage(content);
  expect(pageDigest(page)).toMatch(/^[\w-]{43}$/);
  expect(pageDigest(encodePage(content))).not.toBe(pageDigest(page));
  for (const at of [0, 10, page.length - 1]) {
    const changed = Uint8Array.from(page);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(pageDigest(changed)).not.toEqual(pageDigest(page));
  }
});

test('names of pages are decoded to what was encoded', () => {
  const ref = fc.record({
    prefix: fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 40 }),
    id: bytes(32).map((id) => Buffer.from(id).toString('base64url')),
    keyVersion: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(ref, { maxLength: 8 }), (refs) => {
      expect(unpackRefs(packRefs(refs))).toEqual(refs);
    }),
  );
});

test('the names of 64 pages take no second read unit', () => {
  const refs = Array.from({ length: 64 }, (_, n) => ({
    prefix: n.toString(2).padStart(6, '0'),
    id: 'A'.repeat(43),
    keyVersion: 1,
  }));
  expect(packRefs(refs).length).toBeLessThan(4_096 - 400);
});

test('after a split every key has exactly one page, the one whose prefix starts its hash', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 60 }), (keys) => {
      const pages = splitPage({ prefix: '', entries: keys.map((key) => entry(key, 9_000)) }, 0);
      expect(tally(pages).count).toBe(keys.length);
      for (const key of keys) {
        const holders = pages.filter((page) => page.entries.some((one) => one.key === key));
        expect(holders).toEqual([pageFor(pages, key)]);
        expect(pages.filter(({ prefix }) => hashBits(key).startsWith(prefix))).toHaveLength(1);
      }
    }),
    { numRuns: 50 },
  );
});

test('with few pages, none exceeds 32 KB', () => {
  const pages = splitPage({ prefix: '', entries: entries(2_000, 256) }, 0);
  expect(pages.length).toBeLessThanOrEqual(64);
  for (const page of pages) expect(pageBytes(page)).toBeLessThanOrEqual(32 * 1024);
});

test('from 64 pages on a page may grow to 350 KB, and splits beyond', () => {
  const page = { prefix: '', entries: entries(5, 60_000) };
  expect(splitPage(page, 63)).toEqual([page]);
  expect(splitPage(page, 62).length).toBeGreaterThan(1);
  const larger = { prefix: '', entries: entries(12, 60_000) };
  for (const part of splitPage(larger, 63)) expect(pageBytes(part)).toBeLessThanOrEqual(350 * 1024);
});

test('a full vault of the largest values and keys fits pages below 400 KB, and their names fit the head', () => {
  const tags = Array.from({ length: 50 }, (_, tag) => `${tag}`.padEnd(128, 'y'));
  const all = Array.from({ length: 5_000 }, (_, n) => ({
    ...entry(`${n}`.padEnd(512, 'x'), 4_194),
    tags,
  }));
  const pages = splitPage({ prefix: '', entries: all }, 0);
  expect(tally(pages).count).toBe(5_000);
  for (const page of pages) expect(pageBytes(page)).toBeLessThan(400 * 1024);
  const refs = pages.map(({ prefix }) => ({
    prefix,
    id: 'A'.repeat(43),
    keyVersion: 1,
  }));
  expect(packRefs(refs).length).toBeLessThan(100 * 1024);
});

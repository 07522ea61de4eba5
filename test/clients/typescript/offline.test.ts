import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { offlineCopy } from '../../../clients/typescript/src/offline.ts';

const vector = JSON.parse(readFileSync('test/vectors/offline.json', 'utf8'));
const OWNER = { url: 'http://localhost:3000', apiKey: 'cue_one', key: undefined, tags: ['a', 'b'] };
const SECRETS = { A: 'swordfish', __proto__x: '', Ü: 'two\nlines' };
const EVER = Number.MAX_SAFE_INTEGER;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuevault-offline-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const onlyFile = (): string => join(folder, readdirSync(folder)[0] ?? '');

test('a copy written by another client is read, with the same file name', async () => {
  writeFileSync(join(folder, vector.fileName), JSON.stringify(vector.file));
  const { url, apiKey, key, tags } = vector;
  const copy = offlineCopy({ directory: folder, maxAgeMs: EVER });
  expect((await copy.load({ url, apiKey, key: key ?? undefined, tags }))?.secrets).toEqual(vector.secrets);
});

test('a saved copy is loaded with its age, in any order of tags', async () => {
  const copy = offlineCopy({ directory: join(folder, 'made', 'when needed') });
  await copy.save(OWNER, SECRETS);
  const loaded = await copy.load({ ...OWNER, tags: ['b', 'a', 'b'] });
  expect(loaded).toEqual({ secrets: SECRETS, ageMs: expect.any(Number) });
});

test('only the owner can read the file, it shows no value or key, and no other file is left', async () => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  await copy.save(OWNER, SECRETS);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  const text = readFileSync(onlyFile(), 'utf8');
  expect(text).not.toMatch(/cue_one|swordfish|localhost/);
  expect(Object.keys(JSON.parse(text)).sort()).toEqual(Object.keys(vector.file).sort());
});

test('sealing the same secrets twice gives different files', async () => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  const first = JSON.parse(readFileSync(onlyFile(), 'utf8'));
  await copy.save(OWNER, SECRETS);
  const second = JSON.parse(readFileSync(onlyFile(), 'utf8'));
  for (const part of ['salt', 'iv', 'data']) expect(second[part]).not.toBe(first[part]);
});

test.each([
  ['another API key', { apiKey: 'cue_two' }],
  ['another address', { url: 'http://localhost:3001' }],
  ['other tags', { tags: ['a'] }],
  ['another key', { key: 'A' }],
])('a copy cannot be read with %s', async (_, other) => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  expect(await copy.load({ ...OWNER, ...other })).toBeUndefined();
});

test('a copy renamed to another filter cannot be decrypted', async () => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  const text = readFileSync(onlyFile());
  const other = { ...OWNER, tags: [] };
  const before = new Set(readdirSync(folder));
  await copy.save(other, {});
  const name = readdirSync(folder).find((file) => !before.has(file)) ?? '';
  expect(await copy.load(other)).toBeDefined();
  writeFileSync(join(folder, name), text);
  expect(await copy.load(other)).toBeUndefined();
});

test.each(['salt', 'iv', 'tag', 'data'])('a copy with a changed %s cannot be decrypted', async (part) => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  const file = JSON.parse(readFileSync(onlyFile(), 'utf8'));
  const bytes = Buffer.from(file[part], 'base64');
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  writeFileSync(onlyFile(), JSON.stringify({ ...file, [part]: bytes.toString('base64') }));
  expect(await copy.load(OWNER)).toBeUndefined();
});

test.each(['', '{}', '[]', 'null', '{"v":2}', '{"v":1,"savedAt":"now"}'])(
  'a file that holds %p is not a copy',
  async (text) => {
    const copy = offlineCopy({ directory: folder });
    await copy.save(OWNER, SECRETS);
    writeFileSync(onlyFile(), text);
    expect(await copy.load(OWNER)).toBeUndefined();
  },
);

test('a copy beyond its age limit is not used, and its age cannot be forged', async () => {
  const copy = offlineCopy({ directory: folder, maxAgeMs: 60_000 });
  const { now } = Date;
  Date.now = () => now() - 61_000;
  await copy.save(OWNER, SECRETS).finally(() => {
    Date.now = now;
  });
  expect(await copy.load(OWNER)).toBeUndefined();
  expect(await offlineCopy({ directory: folder, maxAgeMs: 120_000 }).load(OWNER)).toBeDefined();
  const file = JSON.parse(readFileSync(onlyFile(), 'utf8'));
  writeFileSync(onlyFile(), JSON.stringify({ ...file, savedAt: Date.now() }));
  expect(await copy.load(OWNER)).toBeUndefined();
});

test('a copy with a short tag cannot be decrypted', async () => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  const file = JSON.parse(readFileSync(onlyFile(), 'utf8'));
  const tag = Buffer.from(file.tag, 'base64').subarray(0, 12).toString('base64');
  writeFileSync(onlyFile(), JSON.stringify({ ...file, tag }));
  expect(await copy.load(OWNER)).toBeUndefined();
});

test('deleting removes the copy, and deleting nothing is not an error', async () => {
  const copy = offlineCopy({ directory: folder });
  await copy.save(OWNER, SECRETS);
  await copy.drop(OWNER);
  await copy.drop(OWNER);
  expect(readdirSync(folder)).toEqual([]);
});

test('another API key, even with the same id, neither replaces nor deletes a copy', async () => {
  const copy = offlineCopy({ directory: folder });
  const keys = ['cue_Ab3dEf7h_one', 'cue_Ab3dEf7h_two', 'cue_Zz9dEf7h_one'];
  const [first, ...others] = keys.map((apiKey) => ({ ...OWNER, apiKey })) as [
    typeof OWNER,
    ...(typeof OWNER)[],
  ];
  await copy.save(first, SECRETS);
  await copy.drop(others[0] ?? OWNER);
  for (const owner of others) await copy.save(owner, { A: 'other' });
  expect((await copy.load(first))?.secrets).toEqual(SECRETS);
  expect(
    readdirSync(folder)
      .map((name) => name.split('-')[0])
      .sort(),
  ).toEqual(['Ab3dEf7h', 'Ab3dEf7h', 'Zz9dEf7h']);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { offlineCopy } from '../../../clients/typescript/src/offline.ts';

const vector = JSON.parse(readFileSync('test/vectors/offline.json', 'utf8'));

test('a copy written by another client is read, with the same file name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuevault-offline-'));
  writeFileSync(join(folder, vector.fileName), JSON.stringify(vector.file));
  const { url, apiKey, key, tags } = vector;
  const copy = offlineCopy({ directory: folder, maxAgeMs: Number.MAX_SAFE_INTEGER });
  expect((await copy.load({ url, apiKey, key: key ?? undefined, tags }))?.secrets).toEqual(vector.secrets);
  rmSync(folder, { recursive: true });
});

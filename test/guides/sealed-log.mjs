#!/usr/bin/env node
// Writes an object of the sealed log into the folder that is named: a change, a refused call and a read.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toEntry } from '../../lambdas/core/seal/entries.ts';
import { compressEntries, encodeObject, objectKey, sha256 } from '../../lambdas/core/seal/sealed-object.ts';

const DAY = '2026-11-26T';
const rows = [
  {
    at: `${DAY}22:47:10.204Z`,
    actor: 'ada@example.com',
    actorId: 'op_7Kq2',
    action: 'api-key.create',
    subject: 'key_4Vb2',
  },
  {
    at: `${DAY}22:51:36.090Z`,
    apiKeyName: 'billing',
    reason: 'wrong_secret',
    operationId: 'vault-get-secrets',
  },
  { at: `${DAY}22:52:01.870Z`, apiKeyName: 'billing', count: 3, revision: 7 },
];
const entries = await compressEntries(
  rows.map((row) => toEntry({ ...row, pk: 'AUDIT', sk: row.at, ttl: 1 })),
);
const seal = {
  number: 1,
  from: `${DAY}22:45:00.000Z`,
  to: `${DAY}23:00:00.000Z`,
  sealedAt: `${DAY}23:05:00.000Z`,
  previous: '',
  entries: rows.length,
  digest: sha256(entries),
  shortestDays: 400,
  signature: new Uint8Array(64),
};
const file = path.join(process.argv[2] ?? '', objectKey(seal));
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, encodeObject('prod', seal, entries));

import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { objectKey, sha256 } from '../../../lambdas/core/seal/sealed-object.ts';
import { createSigning } from '../../../lambdas/core/signing.ts';
import { writeAuditRefusal } from '../../../lambdas/http/refusals.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { type SealOptions, type SealReport, sealAudit } from '../../../lambdas/store/seal/sealing.ts';
import { LAST_SEAL, openObject } from '../../../lambdas/store/seal/seals.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import { getItem, putItem } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { keysIn } from '../../../local/aws/s3.ts';
import { readOf } from '../../support/rows/audit.ts';
import { openTestLog, type TestLog } from '../../support/rows/sealed-log.ts';
import { createTestSigningKey, type TestSigningKey } from '../../support/rows/signing.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { plantRow, rawRow } from '../../support/rows/tampering.ts';

// Each test has its own years, so that they can share a table.
let start = 0;
let year = 1990;
const at = (minutes: number): Date => new Date(start + minutes * 60_000);

withTestTable();

let log: TestLog;
beforeEach(async () => {
  year += 2;
  start = Date.parse(`${year}-03-31T23:50:00.000Z`);
  await deleteItem(table, LAST_SEAL);
  log = openTestLog();
});

const change = (minutes: number, action = 'label.set'): Promise<void> => {
  const by = { ...changeAt(at(minutes)), requestId: `change-${minutes}` };
  return transact(table, [auditChange(table, by, { action, subject: 'prm_1', name: 'greeting' })]);
};

const caller = { apiKeyId: 'key1', apiKeyName: 'shop', sourceIp: '192.0.2.1', userAgent: 'curl' };

const read = (minutes: number, id = String(minutes)): Promise<void> =>
  writeAuditRead(table, readOf({ at: at(minutes), requestId: `read-${id}`, filter: { tags: ['a'] } }));

const refusal = (minutes: number): Promise<void> =>
  writeAuditRefusal(table, {
    at: at(minutes),
    requestId: `refusal-${minutes}`,
    ...caller,
    operationId: 'vault-get-secrets',
    reason: 'expired',
  });

const seal = (minutes: number, options: Partial<SealOptions> = {}): Promise<SealReport> =>
  sealAudit(table, log, { now: at(minutes), ...options });

const sealedOnce = async () => {
  await change(0);
  await seal(10);
};

const objects = async () =>
  Promise.all(
    keysIn(log.folder).map(async (key) => {
      const bytes = (await log.read(key)) ?? Buffer.alloc(0);
      return { key, bytes, ...openObject(table, bytes) };
    }),
  );

const requestsIn = async (): Promise<unknown[][]> =>
  (await objects()).map(({ compressed }) => {
    const lines = gunzipSync(compressed).toString().split('\n').slice(0, -1);
    return lines.map((line) => (JSON.parse(line) as { requestId: string }).requestId);
  });

test('before the first change there is nothing to seal; then entries of all kinds are, in the order of time, across days and months', async () => {
  expect(await seal(-1)).toMatchObject({ objects: 0, last: 0 });
  expect(keysIn(log.folder)).toEqual([]);
  await change(0);
  await read(12);
  await refusal(13);
  await read(9);
  expect(await seal(20)).toMatchObject({ objects: 1, entries: 4, last: 1, overtaken: false });
  expect(await requestsIn()).toEqual([['change-0', 'read-9', 'read-12', 'refusal-13']]);
});

test('entries younger than five minutes wait for a later run, and none is sealed twice', async () => {
  await change(0);
  await read(6);
  await seal(10);
  await seal(30);
  expect(await requestsIn()).toEqual([['change-0'], ['read-6']]);
});

test('an object is compressed JSON Lines of the rows, actors by their ids, after one line with the seal', async () => {
  await sealedOnce();
  const [{ key, bytes } = { key: '', bytes: Buffer.alloc(0) }] = await objects();
  expect(key).toBe(`${year}-03-31/000000000001.jsonl.gz`);
  const [first = '', row = '', end] = gunzipSync(bytes).toString().split('\n');
  expect(JSON.parse(first)).toMatchObject({ stage: 'test', number: 1, entries: 1, previous: '' });
  const { pk, sk, actorId } = JSON.parse(row) as Record<'pk' | 'sk' | 'actorId', string>;
  expect(JSON.parse(row)).toEqual({ ...(await rawRow(table, { pk, sk })), actor: actorId });
  expect(end).toBe('');
});

test('the sealed log has the ids of operators and the networks of callers, and no address of a person', async () => {
  const ada = { id: 'op_ada', name: '"ada"@example.com' };
  const by = (minutes: number) => ({ ...changeAt(at(minutes)), requestId: `by-${minutes}`, actor: ada });
  const bob = { subject: '"bob"@example.com', name: '"bob"@example.com', subjectId: 'op_bob' };
  const key = { id: 'key1', name: 'API key for x@y.example' };
  await transact(table, [
    auditChange(table, by(0), { action: 'label.set', subject: 'prm_1', name: 'mail@home' }),
    auditChange(table, by(1), {
      action: 'operator.rename',
      ...bob,
      details: { from: '"b"@example.com', n: 1 },
    }),
    auditChange(table, by(2), { action: 'operator.reset', subject: 'c@d.example', name: 'c@d.example' }),
    auditChange(table, { ...by(3), actor: key }, { action: 'label.set', subject: 'prm_1', name: 'greeting' }),
  ]);
  await refusal(4);
  await writeAuditRead(table, readOf({ at: at(5), requestId: 'read', sourceIp: '2001:db8:7::9' }));
  await seal(20);
  const [{ compressed } = { compressed: Buffer.alloc(0) }] = await objects();
  const sealed = gunzipSync(compressed).toString();
  const rows = sealed
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(rows).toMatchObject([
    { actor: 'op_ada', actorId: 'op_ada', subject: 'prm_1', name: 'mail@home' },
    { actor: 'op_ada', subject: 'op_bob', name: 'op_bob', details: '{"from":"an address","n":1}' },
    { actor: 'op_ada', subject: 'unknown', name: 'unknown' },
    { actor: 'API key for x@y.example', actorId: 'key1' },
    { sourceIp: '192.0.2.0/24' },
    { sourceIp: '2001:db8:7::/48' },
  ]);
  expect(sealed).not.toMatch(/example\.com|c@d|192\.0\.2\.1"|7::9/);
});

test('many entries become several objects, none of which splits entries of the same time', async () => {
  await change(0);
  for (let i = 0; i < 10; i++) await read(1 + Math.floor(i / 2), String(i));
  expect(await seal(20, { mostBytes: 700 })).toMatchObject({ entries: 11 });
  const sealed = await requestsIn();
  expect(sealed.length).toBeGreaterThan(2);
  expect(sealed.flat()).toHaveLength(11);
  for (let i = 0; i < 10; i += 2) {
    const together = sealed.find((requests) => requests.includes(`read-${i}`));
    expect(together).toContain(`read-${i + 1}`);
  }
});

test('a run that crashes after its object is continued, not repeated', async () => {
  await sealedOnce();
  const before = await rawRow(table, LAST_SEAL);
  await read(6);
  await seal(25);
  await putItem(table, before);
  expect(await seal(26)).toMatchObject({ last: 3 });
  expect(await requestsIn()).toEqual([['change-0'], ['read-6'], []]);
});

test('a run that crashes before its object leaves nothing behind', async () => {
  await change(0);
  const dies = { ...log, add: () => Promise.reject(new Error('killed')) };
  await expect(sealAudit(table, dies, { now: at(10) })).rejects.toThrow('killed');
  await seal(11);
  expect(await requestsIn()).toEqual([['change-0']]);
});

test('runs at the same time never fork the chain', async () => {
  await change(0);
  for (let round = 1; round <= 5; round++) {
    await read(round * 10);
    const runs = [0, 1, 2].map((i) => seal(round * 10 + 6 + i / 10));
    const reports = await Promise.all(runs);
    expect(reports.some(({ objects }) => objects > 0)).toBe(true);
  }
  const chain = await objects();
  for (const [i, { seal, key }] of chain.entries()) {
    expect(key).toBe(objectKey({ number: i + 1, from: seal.from }));
    const previous = chain[i - 1];
    expect(seal.previous).toBe(previous === undefined ? '' : sha256(previous.bytes));
    if (previous !== undefined) expect(seal.from).toBe(previous.seal.to);
  }
  expect((await requestsIn()).flat()).toHaveLength(6);
});

test('the row with the last seal is only a copy: without it, the chain continues, and one that someone has forged is replaced', async () => {
  await sealedOnce();
  await deleteItem(table, LAST_SEAL);
  expect(await seal(25)).toMatchObject({ objects: 1, last: 2, problems: [] });
  await plantRow(table, { ...(await rawRow(table, LAST_SEAL)), number: 999 });
  expect(await seal(40)).toMatchObject({ last: 3 });
  expect(await getItem(table, LAST_SEAL)).toMatchObject({ number: 3 });
});

test('a foreign object is reported and skipped', async () => {
  await sealedOnce();
  const [{ seal: first } = { seal: undefined }] = await objects();
  const key = objectKey({ number: 2, from: first?.to ?? '' });
  await log.add(key, Buffer.from('foreign'));
  expect(await seal(25)).toMatchObject({
    last: 3,
    problems: [{ subject: key, problem: expect.stringContaining('not written') }],
  });
  expect(await seal(40)).toMatchObject({ last: 4, problems: [] });
});

test.each([
  ['missing', 'The object is missing.'],
  ['replaced', 'The object is not the one that was sealed.'],
])('an object that is %s is reported', async (what, problem) => {
  await sealedOnce();
  const [key = ''] = keysIn(log.folder);
  const file = path.join(log.folder, key);
  if (what === 'missing') rmSync(file);
  else {
    chmodSync(file, 0o600);
    writeFileSync(file, 'replaced');
  }
  expect(await seal(25)).toMatchObject({ last: 2, problems: [{ subject: key, problem }] });
});

const signingWith = (...keys: readonly TestSigningKey[]) =>
  createSigning(keys.map(({ publicKey }) => publicKey).join(' '), keys[0]?.signer);

test('after a change of the signing key the chain continues, and former keys still verify its objects', async () => {
  await change(0);
  const keys = [createTestSigningKey(), createTestSigningKey()] as const;
  await sealAudit({ ...table, signing: signingWith(keys[0]) }, log, { now: at(10) });
  const after = { ...table, signing: signingWith(keys[1], keys[0]) };
  for (const last of [2, 3])
    expect(await sealAudit(after, log, { now: at(15 * last - 5) })).toMatchObject({ last, problems: [] });
});

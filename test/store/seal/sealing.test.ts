import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { toEntry } from '../../../lambdas/core/seal/entries.ts';
import {
  compressEntries,
  encodeObject,
  objectKey,
  type Seal,
  sha256,
} from '../../../lambdas/core/seal/sealed-object.ts';
import { createSigning } from '../../../lambdas/core/signing.ts';
import { writeAuditRefusal } from '../../../lambdas/http/refusals.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { type SealOptions, type SealReport, sealAudit } from '../../../lambdas/store/seal/sealing.ts';
import { LAST_SEAL, openObject, SEAL } from '../../../lambdas/store/seal/seals.ts';
import { writeAuditRead } from '../../../lambdas/store/secrets/audit-read.ts';
import { SIGNATURE } from '../../../lambdas/store/signing/rows.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import { getItem, putItem, type Table } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { deleteItem } from '../../../lambdas/store/updates.ts';
import { keysIn } from '../../../local/aws/s3.ts';
import { type LoggedObject, verifyLog } from '../../../scripts/audit-verify.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { readOf } from '../../support/rows/audit.ts';
import { openTestLog, type TestLog } from '../../support/rows/sealed-log.ts';
import { createTestSigningKey, type TestSigningKey } from '../../support/rows/signing.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { plantRow, rawRow, withForeignKey } from '../../support/rows/tampering.ts';
import { SEED, scaled } from '../../support/sampled.ts';

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

describe('whoever verifies the log', () => {
  const START = Date.parse('2026-03-31T23:20:00.000Z');
  const at = (minutes: number): Date => new Date(START + minutes * 60_000);
  const ROUNDS = scaled(1_000, 100);

  /** An object of the log as the bucket has it. */
  interface Logged extends Omit<LoggedObject, 'read'> {
    readonly bytes: Buffer;
  }

  let objects: readonly Logged[];

  beforeAll(async () => {
    const log = openTestLog();
    for (let minute = 0; minute < 75; minute++) {
      const by = { ...changeAt(at(minute)), requestId: `change-${minute}` };
      await transact(table, [
        auditChange(table, by, { action: 'label.set', subject: 'prm_1', name: 'greeting' }),
      ]);
    }
    for (let minute = 10; minute <= 80; minute += 10) await sealAudit(table, log, { now: at(minute) });
    const keys = await Array.fromAsync(log.keys());
    objects = await Promise.all(
      keys.map(async (key) => ({ key, bytes: (await log.read(key)) ?? Buffer.alloc(0) })),
    );
  });

  const verify = (logged: readonly Logged[], now = at(88)) => {
    const listed = logged.map(({ bytes, ...rest }): LoggedObject => ({ ...rest, read: async () => bytes }));
    return verifyLog(table.signing, listed, now);
  };

  const subjectsIn = async (logged: readonly Logged[]): Promise<string[]> =>
    (await verify(logged)).problems.map(({ subject }) => subject);

  const objectAt = (index: number): Logged => objects[index] ?? { key: '', bytes: Buffer.alloc(0) };

  /** An object of the same range with another entry, signed with a key. */
  const forged = async (signer: Table, { bytes }: Logged): Promise<Buffer> => {
    const { seal } = openObject(table, bytes);
    const { signature: _, ...rest } = seal;
    const compressed = await compressEntries([toEntry({ action: 'forged' })]);
    const changed: Seal = { ...rest, entries: 1, digest: sha256(compressed) };
    const signature = (await signedItem(signer, SEAL, changed))[SIGNATURE] as Uint8Array;
    return encodeObject('test', { ...changed, signature }, compressed);
  };

  const changedByte = (bytes: Buffer, random: Random): Buffer => {
    const changed = Buffer.from(bytes);
    const position = random(bytes.length);
    changed.writeUInt8((bytes.readUInt8(position) + 1 + random(255)) % 256, position);
    return changed;
  };

  /** What someone can make of an object of the log: another one in its place. */
  const REPLACEMENTS: Readonly<Record<string, (object: Logged, random: Random) => Logged | Promise<Logged>>> =
    {
      'a changed byte': ({ key, bytes }, random) => ({ key, bytes: changedByte(bytes, random) }),
      'a truncated object': ({ key, bytes }, random) => ({
        key,
        bytes: bytes.subarray(0, random(bytes.length)),
      }),
      'an extended object': ({ key, bytes }, random) => ({
        key,
        bytes: Buffer.concat([bytes, Buffer.alloc(1 + random(100), random(256))]),
      }),
      'another object of the log': ({ key }, random) => {
        const others = objects.filter((each) => each.key !== key);
        return { key, bytes: others[random(others.length)]?.bytes ?? Buffer.alloc(0) };
      },
      'an object signed with another key': async (object) => ({
        key: object.key,
        bytes: await forged(withForeignKey(table), object),
      }),
      'a later version': (object) => ({ ...object, laterVersions: 1 }),
      'a delete marker': (object) => ({ ...object, hidden: true }),
    };

  test('an untouched log verifies, in whichever order its objects are listed', async () => {
    const expected = { problems: [], objects: 8, entries: 75 };
    expect(await verify(objects)).toMatchObject(expected);
    expect(await verify(objects.toReversed())).toMatchObject({ ...expected, last: { number: 8 } });
  });

  test.each(Object.keys(REPLACEMENTS))(
    `%s is found, and nothing else, in ${ROUNDS} random places`,
    async (kind) => {
      for (let round = 0; round < ROUNDS; round++) {
        const random = randomFrom(SEED + round);
        const index = random(objects.length);
        const replaced = await REPLACEMENTS[kind]?.(objectAt(index), random);
        expect({ round, found: await subjectsIn(objects.with(index, replaced ?? objectAt(index))) }).toEqual({
          round,
          found: [objectAt(index).key],
        });
      }
    },
  );

  test('a removed object is found, unless it was the last', async () => {
    for (const index of [0, 1, 4, 6])
      expect(await subjectsIn(objects.toSpliced(index, 1))).toEqual([
        index === 0 ? objectAt(1).key : `objects ${index + 1} to ${index + 1}`,
      ]);
    expect(await verify(objects.slice(0, -1))).toMatchObject({ problems: [], last: { number: 7 } });
  });

  test('an added object is found', async () => {
    const copies = ['notes.txt', '2026-03-31/1.jsonl.gz', `2026-04-01/${'9'.padStart(12, '0')}.jsonl.gz`];
    for (const key of copies) expect(await subjectsIn([...objects, { ...objectAt(3), key }])).toEqual([key]);
    const twin = objectKey({ number: 8, from: '2026-04-02' });
    expect(await subjectsIn([...objects, { ...objectAt(7), key: twin }])).toEqual([twin]);
  });

  test('a chain that was forked with the right key is found by the next object', async () => {
    for (const index of [0, 3, 6]) {
      const bytes = await forged(table, objectAt(index));
      const fork = objects.with(index, { ...objectAt(index), bytes });
      expect(await subjectsIn(fork)).toEqual([objectAt(index + 1).key]);
    }
  });

  test('objects that may have expired can be missing or hidden', async () => {
    const later = new Date(START + (table.settings.auditDays + 1) * 86_400_000);
    const hidden = objects.slice(2).map((object) => ({ ...object, hidden: true }));
    expect(await verify(hidden, later)).toMatchObject({ problems: [], objects: 6 });
  });
});

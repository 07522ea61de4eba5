import type { SealedEntry } from '../../../lambdas/core/seal/entries.ts';
import { parseEntry } from '../../../lambdas/core/seal/entries.ts';
import {
  compressEntries,
  encodeObject,
  objectKey,
  sha256,
} from '../../../lambdas/core/seal/sealed-object.ts';
import { auditChange, writeAuditRead } from '../../../lambdas/store/audit.ts';
import { sealAudit } from '../../../lambdas/store/seal/sealing.ts';
import { LAST_SEAL, openObject, SEAL } from '../../../lambdas/store/seal/seals.ts';
import type { LoggedObject } from '../../../lambdas/store/seal/verification/objects.ts';
import { verifyAudit } from '../../../lambdas/store/seal/verification/verify.ts';
import { SIGNATURE, signedItem } from '../../../lambdas/store/signing/rows.ts';
import {
  deleteItem,
  type Item,
  type Key,
  putItem,
  type Table,
  transact,
} from '../../../lambdas/store/table.ts';
import { openTestLog, type TestLog } from '../../support/rows/sealed-log.ts';
import { changeAt, openTestTable, type TestTable } from '../../support/rows/table.ts';
import { inNewContainer, rawRow, withForeignKey } from '../../support/rows/tampering.ts';
import { SEED, scaled } from '../../support/sampled.ts';

const START = Date.parse('2026-03-31T23:20:00.000Z');
const at = (minutes: number): Date => new Date(START + minutes * 60_000);
const NOW = at(88);
const ROUNDS = scaled(1_000, 40);

interface Logged {
  readonly key: string;
  readonly bytes: Buffer;
  readonly laterVersions?: number;
  readonly hidden?: boolean;
}

let opened: TestTable;
let table: Table;
let log: TestLog;
let objects: readonly Logged[];
let entries: readonly SealedEntry[];
let last: Item;

beforeAll(async () => {
  opened = await openTestTable();
  table = opened.table;
  log = openTestLog();
  for (let minute = 0; minute < 85; minute += 2) {
    const by = { ...changeAt(at(minute)), requestId: `change-${minute}` };
    const entry = {
      action: 'label.set',
      subject: 'prm_1',
      name: 'greeting',
      details: { to: String(minute) },
    };
    await transact(table, [auditChange(table, by, entry)]);
    await writeAuditRead(table, {
      ...{ at: at(minute + 1), requestId: `read-${minute}`, apiKeyId: 'key1', apiKeyName: 'shop' },
      ...{ sourceIp: '192.0.2.1', userAgent: 'curl', filter: { tags: ['a', 'b'] }, restriction: ['a'] },
      ...{ revision: minute, count: 2, digest: 'd' },
    });
  }
  for (let minute = 10; minute <= 80; minute += 10) await sealAudit(table, log, { now: at(minute) });
  objects = await Promise.all(
    (await Array.fromAsync(log.keys())).map(async (key) => ({
      key,
      bytes: (await log.read(key)) ?? Buffer.alloc(0),
    })),
  );
  entries = objects.flatMap(({ bytes }) => openObject(table, bytes).entries());
  last = await rawRow(table, LAST_SEAL);
});
afterAll(async () => {
  await opened.stop();
  log.remove();
});

const verify = (logged: readonly Logged[], withTable = true) =>
  verifyAudit({
    verifier: inNewContainer(table),
    objects: logged.map(({ bytes, ...rest }): LoggedObject => ({ ...rest, read: async () => bytes })),
    now: NOW,
    table: withTable ? table : undefined,
    from: '2026-03-31',
    to: '2026-04-01',
  });

test('what nobody has touched verifies, and rows that are not due yet are only counted', async () => {
  expect(await verify(objects)).toMatchObject({
    ...{ findings: [], objects: 8, entries: entries.length },
    pending: 86 - entries.length,
  });
  expect(await verify(objects, false)).toMatchObject({ findings: [], objects: 8 });
});

/** A generator of numbers (mulberry32), so that a failing round can be repeated. */
const randomsOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};
type Random = (below: number) => number;

interface Tampering {
  readonly objects?: readonly Logged[];
  /** What must be found: the subjects of the findings. */
  readonly found: readonly string[];
  /** Further findings that follow from it. */
  readonly also?: readonly string[];
  readonly undo?: () => Promise<unknown>;
}

const rowOf = ({ line }: SealedEntry): Item & Key => JSON.parse(line) as Item & Key;
const subjectOf = ({ pk, sk }: Key): string => `${pk} / ${sk}`;
const anEntry = (random: Random): SealedEntry => entries[random(entries.length)] ?? parseEntry('{}');
const restore = (row: Item) => () => putItem(table, row);

const replaced = (index: number, ...others: readonly Logged[]): Logged[] =>
  objects.toSpliced(index, 1, ...others);
const objectAt = (index: number): Logged => objects[index] ?? { key: '', bytes: Buffer.alloc(0) };

const ROW_EDITS: readonly ((row: Item, random: Random) => Item)[] = [
  (row) => ({ ...row, requestId: `${String(row.requestId)}x` }),
  (row, random) => ({ ...row, ttl: Number(row.ttl) - 1 - random(100_000_000) }),
  (row) => ({ ...row, added: true }),
  (row) => ({ ...row, at: at(1).toISOString().replace('Z', '0Z') }),
  ({ ttl: _, ...row }) => row,
  (row) => ('filter' in row ? { ...row, filter: { tags: new Set(['a', 'b']) } } : { ...row, details: '{}' }),
];

/** A validly signed object in place of another: by someone who can sign and write to the bucket. */
const forked = async (index: number): Promise<Logged> => {
  const { seal, entries: sealed } = openObject(table, objectAt(index).bytes);
  const compressed = compressEntries(sealed().slice(1));
  const { signature: _, ...rest } = seal;
  const forged = { ...rest, entries: sealed().length - 1, digest: sha256(compressed) };
  const signature = (await signedItem(table, SEAL, forged))[SIGNATURE] as Uint8Array;
  return { key: objectKey(seal), bytes: encodeObject('test', { ...forged, signature }, compressed) };
};

const foreign = async (index: number): Promise<Buffer> => {
  const { seal, entries: sealed } = openObject(table, objectAt(index).bytes);
  const signature = (await signedItem(withForeignKey(table), SEAL, seal))[SIGNATURE] as Uint8Array;
  return encodeObject('test', { ...seal, signature }, compressEntries(sealed()));
};

const TAMPERINGS: Readonly<Record<string, (random: Random) => Promise<Tampering>>> = {
  'a row is removed': async (random) => {
    const row = rowOf(anEntry(random));
    await deleteItem(table, { pk: row.pk, sk: row.sk });
    return { found: [subjectOf(row)], undo: restore(row) };
  },
  'a row is changed': async (random) => {
    const row = rowOf(anEntry(random));
    const edit = ROW_EDITS[random(ROW_EDITS.length)];
    await putItem(table, { ...edit?.(row, random), pk: row.pk, sk: row.sk });
    return { found: [subjectOf(row)], undo: restore(row) };
  },
  'a row is added': async (random) => {
    const row = rowOf(anEntry(random));
    const added = { ...row, sk: `${row.sk}x` };
    await putItem(table, added);
    return { found: [subjectOf(added)], undo: () => deleteItem(table, { pk: added.pk, sk: added.sk }) };
  },
  'a row is added outside the time of its partition': async (random) => {
    const row = rowOf(anEntry(random));
    const added = { ...row, sk: `${['2001-01-01', '2030-01-01', 'x'][random(3)]}#${row.sk}` };
    await putItem(table, added);
    return { found: [subjectOf(added)], undo: () => deleteItem(table, { pk: added.pk, sk: added.sk }) };
  },
  'a row is added before the first seal': async (random) => {
    const row = rowOf(anEntry(random));
    const added = { ...row, pk: 'AUDIT-CHANGE#2026-03', sk: '2026-03-31T03:00:00.000Z#x' };
    await putItem(table, added);
    return { found: [subjectOf(added)], undo: () => deleteItem(table, { pk: added.pk, sk: added.sk }) };
  },
  'two rows are exchanged': async (random) => {
    const changes = entries.filter(({ pk }) => pk === 'AUDIT-CHANGE#2026-03');
    const first = random(changes.length - 1);
    const [one, other] = [changes[first], changes[first + 1 + random(changes.length - first - 1)]];
    const rows = [one, other].map((entry) => rowOf(entry ?? parseEntry('{}')));
    const [a, b] = rows as [Item & Key, Item & Key];
    await putItem(table, { ...b, pk: a.pk, sk: a.sk });
    await putItem(table, { ...a, pk: b.pk, sk: b.sk });
    return { found: rows.map(subjectOf), undo: () => Promise.all(rows.map((row) => putItem(table, row))) };
  },
  'a row moves to another time': async (random) => {
    const row = rowOf(anEntry(random));
    const [time = '', ...rest] = row.sk.split('#');
    const moved = { ...row, sk: [time.replace(/\d\dZ/, '01Z'), ...rest].join('#') };
    await deleteItem(table, { pk: row.pk, sk: row.sk });
    await putItem(table, moved);
    const undo = async () => {
      await deleteItem(table, { pk: moved.pk, sk: moved.sk });
      await putItem(table, row);
    };
    return { found: [subjectOf(row), subjectOf(moved)], undo };
  },
  'a byte of an object is changed': async (random) => {
    const index = random(objects.length);
    const { key, bytes } = objectAt(index);
    const changed = Buffer.from(bytes);
    const position = random(bytes.length);
    changed.writeUInt8((bytes.readUInt8(position) + 1 + random(255)) % 256, position);
    return { objects: replaced(index, { key, bytes: changed }), found: [key] };
  },
  'an object is truncated': async (random) => {
    const index = random(objects.length);
    const { key, bytes } = objectAt(index);
    return {
      objects: replaced(index, { key, bytes: bytes.subarray(0, random(bytes.length)) }),
      found: [key],
    };
  },
  'an object is extended': async (random) => {
    const index = random(objects.length);
    const { key, bytes } = objectAt(index);
    const more = Buffer.concat([bytes, Buffer.alloc(1 + random(100), random(256))]);
    return { objects: replaced(index, { key, bytes: more }), found: [key] };
  },
  'an object is removed': async (random) => {
    const index = random(objects.length);
    const found = index === 0 ? objectAt(1).key : `objects ${index + 1} to ${index + 1}`;
    return { objects: replaced(index), found: [found] };
  },
  'the end of the log is removed': async (random) => {
    const left = random(objects.length);
    return { objects: objects.slice(0, left), found: [`objects ${left + 1} to ${objects.length}`] };
  },
  'an object is replaced by another one': async (random) => {
    const index = random(objects.length);
    const other = (index + 1 + random(objects.length - 1)) % objects.length;
    const { key } = objectAt(index);
    return { objects: replaced(index, { key, bytes: objectAt(other).bytes }), found: [key] };
  },
  'an object is copied to the end': async (random) => {
    const key = `2026-04-01/${String(objects.length + 1).padStart(12, '0')}.jsonl.gz`;
    return { objects: [...objects, { key, bytes: objectAt(random(objects.length)).bytes }], found: [key] };
  },
  'a foreign object is added': async (random) => {
    const key = ['notes.txt', '2026-03-31/1.jsonl.gz', 'x/000000000001.jsonl.gz'][random(3)] ?? '';
    return { objects: [...objects, { key, bytes: objectAt(0).bytes }], found: [key] };
  },
  'an object is signed with another key': async (random) => {
    const index = random(objects.length);
    const { key } = objectAt(index);
    return { objects: replaced(index, { key, bytes: await foreign(index) }), found: [key] };
  },
  'the chain is forked with the right key': async (random) => {
    const index = random(objects.length);
    const { key } = objectAt(index);
    const [left] = openObject(table, objectAt(index).bytes).entries();
    const next = objects[index + 1]?.key ?? key;
    return {
      objects: replaced(index, await forked(index)),
      found: [next],
      also: [subjectOf(left ?? { pk: '', sk: '' })],
    };
  },
  'a later version of an object is written': async (random) => {
    const index = random(objects.length);
    const object = objectAt(index);
    return { objects: replaced(index, { ...object, laterVersions: 1 }), found: [object.key] };
  },
  'an object is hidden': async (random) => {
    const index = random(objects.length);
    const object = objectAt(index);
    return { objects: replaced(index, { ...object, hidden: true }), found: [object.key] };
  },
  'the row with the last seal is removed, forged or set back': async (random) => {
    const former = openObject(table, objectAt(random(objects.length - 2)).bytes).seal;
    const how = random(3);
    if (how === 0) await deleteItem(table, LAST_SEAL);
    else await putItem(table, how === 1 ? { ...last, number: 3 } : { ...LAST_SEAL, ...former });
    return { found: [subjectOf(LAST_SEAL)], undo: restore(last) };
  },
};

test(`of ${ROUNDS} random tamperings each is found, and nothing else`, async () => {
  const kinds = Object.entries(TAMPERINGS);
  for (let round = 0; round < ROUNDS; round++) {
    const [kind = '', tamper] = kinds[round % kinds.length] ?? [];
    const tampered = await tamper?.(randomsOf(SEED + round));
    const { findings } = await verify(tampered?.objects ?? objects);
    await tampered?.undo?.();
    const subjects = new Set(findings.map(({ subject }) => subject));
    const unexplained = [...subjects].filter(
      (each) => ![...(tampered?.found ?? []), ...(tampered?.also ?? [])].includes(each),
    );
    expect({ round: `${kind}, seed ${SEED + round}`, found: [...subjects], unexplained }).toEqual({
      round: `${kind}, seed ${SEED + round}`,
      found: expect.arrayContaining([...(tampered?.found ?? [])]),
      unexplained: [],
    });
  }
  expect((await verify(objects)).findings).toEqual([]);
}, 240_000);

test('a copy of the log reveals the same about objects, with the public key alone', async () => {
  for (const [kind, tamper] of Object.entries(TAMPERINGS)) {
    if (!/object|fork/.test(kind) || /last|end/.test(kind)) continue;
    // The last object has no successor that would name it.
    const tampered = await tamper((below) => (below === objects.length ? 2 : 0));
    const { findings } = await verify(tampered.objects ?? objects, false);
    expect([kind, findings.map(({ subject }) => subject)]).toEqual([kind, tampered.found]);
  }
});

import { toEntry } from '../../../lambdas/core/seal/entries.ts';
import {
  compressEntries,
  encodeObject,
  objectKey,
  type Seal,
  sha256,
} from '../../../lambdas/core/seal/sealed-object.ts';
import { auditChange } from '../../../lambdas/store/audit.ts';
import { sealAudit } from '../../../lambdas/store/seal/sealing.ts';
import { openObject, SEAL } from '../../../lambdas/store/seal/seals.ts';
import { SIGNATURE } from '../../../lambdas/store/signing/rows.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import type { Table } from '../../../lambdas/store/table.ts';
import { transact } from '../../../lambdas/store/transactions.ts';
import { type LoggedObject, verifyLog } from '../../../scripts/audit-verify.ts';
import { type Random, randomFrom } from '../../support/random.ts';
import { openTestLog } from '../../support/rows/sealed-log.ts';
import { changeAt, table, withTestTable } from '../../support/rows/table.ts';
import { withForeignKey } from '../../support/rows/tampering.ts';
import { SEED, scaled } from '../../support/sampled.ts';

const START = Date.parse('2026-03-31T23:20:00.000Z');
const at = (minutes: number): Date => new Date(START + minutes * 60_000);
const ROUNDS = scaled(1_000, 100);

withTestTable();

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
const REPLACEMENTS: Readonly<Record<string, (object: Logged, random: Random) => Logged | Promise<Logged>>> = {
  'a changed byte': ({ key, bytes }, random) => ({ key, bytes: changedByte(bytes, random) }),
  'a truncated object': ({ key, bytes }, random) => ({ key, bytes: bytes.subarray(0, random(bytes.length)) }),
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

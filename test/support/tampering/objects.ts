import {
  compressEntries,
  encodeObject,
  objectKey,
  sha256,
} from '../../../lambdas/core/seal/sealed-object.ts';
import { openObject, SEAL } from '../../../lambdas/store/seal/seals.ts';
import { SIGNATURE } from '../../../lambdas/store/signing/rows.ts';
import { signedItem } from '../../../lambdas/store/signing/writes.ts';
import type { Random } from '../random.ts';
import { withForeignKey } from '../rows/tampering.ts';
import { type Logged, objectAt, type Sealed, subjectOf, type Tamperings } from './sealed.ts';

const replaced = ({ objects }: Sealed, index: number, ...others: readonly Logged[]): Logged[] =>
  objects.toSpliced(index, 1, ...others);

/** A validly signed object in place of another: by someone who can sign and write to the bucket. */
const forked = async (sealed: Sealed, index: number): Promise<Logged> => {
  const { seal, entries: inside } = openObject(sealed.table, objectAt(sealed, index).bytes);
  const compressed = await compressEntries(inside().slice(1));
  const { signature: _, ...rest } = seal;
  const forged = { ...rest, entries: inside().length - 1, digest: sha256(compressed) };
  const signature = (await signedItem(sealed.table, SEAL, forged))[SIGNATURE] as Uint8Array;
  return { key: objectKey(seal), bytes: encodeObject('test', { ...forged, signature }, compressed) };
};

const foreign = async (sealed: Sealed, index: number): Promise<Buffer> => {
  const { seal, entries: inside } = openObject(sealed.table, objectAt(sealed, index).bytes);
  const signature = (await signedItem(withForeignKey(sealed.table), SEAL, seal))[SIGNATURE] as Uint8Array;
  return encodeObject('test', { ...seal, signature }, await compressEntries(inside()));
};

/** Puts another object in the place of one: found by the key of that one. */
const replacing =
  (
    change: (
      object: Logged,
      random: Random,
      at: { sealed: Sealed; index: number },
    ) => Logged | Promise<Logged>,
  ): Tamperings[string] =>
  async (sealed, random) => {
    const index = random(sealed.objects.length);
    const object = objectAt(sealed, index);
    return {
      objects: replaced(sealed, index, await change(object, random, { sealed, index })),
      found: [object.key],
    };
  };

/** Tamperings with the objects of the log. */
export const OBJECT_TAMPERINGS: Tamperings = {
  'a byte of an object is changed': replacing(({ key, bytes }, random) => {
    const changed = Buffer.from(bytes);
    const position = random(bytes.length);
    changed.writeUInt8((bytes.readUInt8(position) + 1 + random(255)) % 256, position);
    return { key, bytes: changed };
  }),
  'an object is truncated': replacing(({ key, bytes }, random) => ({
    key,
    bytes: bytes.subarray(0, random(bytes.length)),
  })),
  'an object is extended': replacing(({ key, bytes }, random) => ({
    key,
    bytes: Buffer.concat([bytes, Buffer.alloc(1 + random(100), random(256))]),
  })),
  'an object is removed': async (sealed, random) => {
    const index = random(sealed.objects.length);
    const found = index === 0 ? objectAt(sealed, 1).key : `objects ${index + 1} to ${index + 1}`;
    return { objects: replaced(sealed, index), found: [found] };
  },
  'the end of the log is removed': async (sealed, random) => {
    const left = random(sealed.objects.length);
    return {
      objects: sealed.objects.slice(0, left),
      found: [`objects ${left + 1} to ${sealed.objects.length}`],
    };
  },
  'an object is replaced by another one': replacing(({ key }, random, { sealed, index }) => {
    const other = (index + 1 + random(sealed.objects.length - 1)) % sealed.objects.length;
    return { key, bytes: objectAt(sealed, other).bytes };
  }),
  'an object is copied to the end': async (sealed, random) => {
    const key = `2026-04-01/${String(sealed.objects.length + 1).padStart(12, '0')}.jsonl.gz`;
    return {
      objects: [...sealed.objects, { key, bytes: objectAt(sealed, random(sealed.objects.length)).bytes }],
      found: [key],
    };
  },
  'a foreign object is added': async (sealed, random) => {
    const key = ['notes.txt', '2026-03-31/1.jsonl.gz', 'x/000000000001.jsonl.gz'][random(3)] ?? '';
    return { objects: [...sealed.objects, { key, bytes: objectAt(sealed, 0).bytes }], found: [key] };
  },
  'an object is signed with another key': replacing(async ({ key }, _, { sealed, index }) => ({
    key,
    bytes: await foreign(sealed, index),
  })),
  'the chain is forked with the right key': async (sealed, random) => {
    const index = random(sealed.objects.length);
    const { key } = objectAt(sealed, index);
    const [left] = openObject(sealed.table, objectAt(sealed, index).bytes).entries();
    const next = sealed.objects[index + 1]?.key ?? key;
    return {
      objects: replaced(sealed, index, await forked(sealed, index)),
      found: [next],
      also: [subjectOf(left ?? { pk: '', sk: '' })],
    };
  },
  'a later version of an object is written': replacing((object) => ({ ...object, laterVersions: 1 })),
  'an object is hidden': replacing((object) => ({ ...object, hidden: true })),
};

import { PARTITIONS } from '../../../contract/table.ts';
import { decodeObject, type Seal, type SealedObject } from '../../core/seal/sealed-object.ts';
import { type RowKind, SIGNATURE, type Verifier, verifiedRow } from '../signing/rows.ts';
import type { Item, Key } from '../table.ts';

/** The row with the last seal. It is a copy: the log itself is authoritative. */
export const LAST_SEAL: Key = { pk: PARTITIONS.auditSeal, sk: 'LAST' };

const fromItem = (item: Item): Seal => ({
  number: item.number as number,
  from: item.from as string,
  to: item.to as string,
  sealedAt: item.sealedAt as string,
  previous: item.previous as string,
  entries: item.entries as number,
  digest: item.digest as string,
  shortestDays: item.shortestDays as number,
  ...(item[SIGNATURE] === undefined ? {} : { signature: item[SIGNATURE] as Uint8Array }),
});

/** How seals are signed: the row and the object carry the same signature. */
export const SEAL: RowKind<Seal> = {
  domain: 'audit-seal',
  keyOf: () => LAST_SEAL,
  revisionOf: ({ number }) => number,
  fieldsOf: ({ from, to, sealedAt, previous, entries, digest, shortestDays }) => [
    ...[from, to, sealedAt, previous, entries, digest, shortestDays],
  ],
  toItem: (seal) => ({ ...LAST_SEAL, ...seal }),
  fromItem,
};

/** Reads an object of the sealed log and verifies its signature. Throws an error that says what is wrong. */
export const openObject = (verifier: Verifier, bytes: Buffer): SealedObject => {
  const object = decodeObject(bytes);
  if (object.stage !== verifier.settings.stage) throw new Error('it belongs to another stage');
  verifiedRow(verifier, SEAL, LAST_SEAL, { ...LAST_SEAL, ...object.seal });
  return object;
};

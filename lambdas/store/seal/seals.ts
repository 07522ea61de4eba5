import { PARTITIONS } from '../../../contract/table.ts';
import { decodeObject, type Seal, type SealedObject } from '../../core/seal/sealed-object.ts';
import { number, type SignedKind, signedKind, text, type Verifier, verifiedRow } from '../signing/rows.ts';
import type { Key } from '../table.ts';

/** The row with the last seal. It is a copy: the log itself is authoritative. */
export const LAST_SEAL: Key = { pk: PARTITIONS.auditSeal, sk: 'LAST' };

/** How seals are stored and signed: the row and the object carry the same signature. */
export const SEAL: SignedKind<Seal> = signedKind({
  domain: 'audit-seal',
  partition: 'auditSeal',
  sk: LAST_SEAL.sk,
  keyOf: () => LAST_SEAL,
  revisionOf: (seal) => seal.number,
  withSignature: true,
  fields: {
    number,
    from: text,
    to: text,
    sealedAt: text,
    previous: text,
    entries: number,
    digest: text,
    shortestDays: number,
  },
  optional: {},
});

/** Reads an object of the sealed log and verifies its signature. Throws an error that says what is wrong. */
export const openObject = (verifier: Verifier, bytes: Buffer): SealedObject => {
  const object = decodeObject(bytes);
  if (object.stage !== verifier.settings.stage) throw new Error('it belongs to another stage');
  verifiedRow(verifier, SEAL, LAST_SEAL, { ...LAST_SEAL, ...object.seal });
  return object;
};

import type { sealedShape } from '../../../contract/documentation/service.ts';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { ifGenuine } from '../../core/errors.ts';
import { decodeObject, type Seal, type SealedObject } from '../../core/seal/sealed-object.ts';
import {
  getRow,
  number,
  type SignedKind,
  signedKind,
  text,
  type Verifier,
  verifiedRow,
} from '../signing/rows.ts';
import type { Key, Table } from '../table.ts';

/** The row with the last seal. It is a copy: the log itself is authoritative. */
export const LAST_SEAL: Key = { pk: PARTITIONS.auditSeal, sk: 'LAST' };

/** How seals are stored and signed: the row and the object carry the same signature. */
export const SEAL: SignedKind<Seal> = signedKind({
  domain: 'audit-seal',
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

/** Up to when the audit log is sealed; null if it is not, or the last seal does not verify. */
export const readSealed = async (table: Table): Promise<ReplyOf<typeof sealedShape>> => {
  const seal = await ifGenuine(() => getRow(table, SEAL, LAST_SEAL));
  return seal === undefined ? null : { number: seal.number, at: seal.sealedAt, to: seal.to };
};

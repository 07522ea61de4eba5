import { createHash, createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { createBoundedCache } from './bounded-cache.ts';

/** A value in a signed row. Binary values are signed as base64. */
export type Field =
  | string
  | number
  | boolean
  | Uint8Array
  | readonly Field[]
  | { readonly [name: string]: Field };

/** The key of a signed row and its revision. */
export interface RowIdentity {
  /** The kind of row: a signature of one kind is not valid for another. */
  readonly domain: string;
  readonly stage: string;
  readonly pk: string;
  readonly sk: string;
  readonly revision: number;
}

export interface PublicKey {
  /** The first 8 bytes of the SHA-256 of its SubjectPublicKeyInfo; signatures contain it. */
  readonly id: Buffer;
  readonly key: KeyObject;
}

// Never changes: a new format of the table must not invalidate every signature.
const FORM = 'cuevault/row/1';
const ID_BYTES = 8;

const plain = (field: Field): unknown => {
  if (field instanceof Uint8Array) return Buffer.from(field).toString('base64');
  if (Array.isArray(field)) return field.map(plain);
  return typeof field === 'object'
    ? Object.fromEntries(Object.entries(field).map(([name, value]) => [name, plain(value)]))
    : field;
};

/** The message that is signed for a row: its identity, and the SHA-256 of its fields as one JSON array. */
export const rowMessage = (
  { domain, stage, pk, sk, revision }: RowIdentity,
  fields: readonly Field[],
): Buffer =>
  Buffer.from(
    JSON.stringify([
      FORM,
      domain,
      stage,
      pk,
      sk,
      revision,
      hash('sha256', JSON.stringify(fields.map(plain))),
    ]),
  );

/** Reads a public key: SubjectPublicKeyInfo in DER, as KMS returns it. Throws if it is not a P-256 key. */
export const importPublicKey = (spki: Uint8Array): PublicKey => {
  const der = Buffer.from(spki);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new TypeError('Not a P-256 public key.');
  return { id: hash('sha256', der, 'buffer').subarray(0, ID_BYTES), key };
};

/** Prefixes a signature (ECDSA, DER) with the id of its key, so that readers know which key verifies it. */
const taggedSignature = ({ id }: PublicKey, signature: Uint8Array): Buffer => Buffer.concat([id, signature]);

/** Whether one of the keys signed a message (ECDSA over SHA-256); `tagged` is what `taggedSignature` made. */
const isSignedBy = (keys: readonly PublicKey[], message: Uint8Array, tagged: Uint8Array): boolean => {
  const id = tagged.subarray(0, ID_BYTES);
  const signer = keys.find((each) => each.id.equals(id));
  return signer !== undefined && verify('sha256', message, signer.key, tagged.subarray(ID_BYTES));
};

/** Signs messages and verifies them. */
export interface Signing {
  /** The known keys, as `createSigning` received them. */
  readonly publicKeys: string;
  /** Returns the signature of a message with the id of its key. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
  /** Whether one of the known keys signed the message. */
  readonly isSigned: (message: Uint8Array, signature: unknown) => boolean;
}

/** Signs a message with ECDSA over SHA-256; the signature is DER. */
export type Signer = (message: Uint8Array) => Promise<Uint8Array>;

const VERIFIED_ROWS = 10_000;

const cannotSign: Signer = () => Promise.reject(new Error('This function does not sign rows.'));

/**
 * Verifies with the public keys, given as SubjectPublicKeyInfo in DER and base64, separated by spaces, and signs with
 * `signer`, whose key is the first. Verified rows are cached by digest: verifying one again costs only a hash.
 */
export const createSigning = (publicKeys: string, signer: Signer = cannotSign): Signing => {
  const verified = createBoundedCache<true>(VERIFIED_ROWS);
  // Imported on first use: by then, most cold starts are waiting for something else.
  let imported: readonly PublicKey[] | undefined;
  const keys = (): readonly PublicKey[] => {
    imported ??= publicKeys
      .split(' ')
      .filter((text) => text !== '')
      .map((text) => importPublicKey(Buffer.from(text, 'base64')));
    return imported;
  };
  return {
    publicKeys,
    sign: async (message) => {
      const [current] = keys();
      if (current === undefined) throw new Error('The public key of the signing key is missing.');
      return taggedSignature(current, await signer(message));
    },
    isSigned: (message, signature) => {
      if (!(signature instanceof Uint8Array)) return false;
      const digest = createHash('sha256').update(message).update(signature).digest('base64');
      if (verified.get(digest) === true) return true;
      const holds = isSignedBy(keys(), message, signature);
      if (holds) verified.set(digest, true);
      return holds;
    },
  };
};

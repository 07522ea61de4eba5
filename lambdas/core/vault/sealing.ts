import { createPrivateKey } from 'node:crypto';
import * as hpke from './hpke.ts';

/** What a box is bound to. It opens under exactly these, and under nothing else. */
export interface BoxContext {
  readonly stage: string;
  /** Name of the secret: under another one the box does not open. */
  readonly key: string;
  /** Id of this incarnation of the secret. */
  readonly secretId: string;
  /** Number of the value: given when sealing, never used again. */
  readonly number: number;
  /** Version of the vault's key pair. */
  readonly keyVersion: number;
}

/** A private key of the vault, ready to open boxes. */
export type PrivateKey = hpke.KeyPair;

/** A box did not open. It says the same thing whatever the reason: the reason would help nobody but an attacker. */
export class BoxError extends Error {
  constructor() {
    super('The box does not open.');
    this.name = 'BoxError';
  }
}

const INFO = hpke.prepareInfo(Buffer.from('cuevault/secret-value/1'));

// An array of JSON: no two contexts are written alike, wherever one part ends and the next begins.
const associatedData = ({ stage, key, secretId, number, keyVersion }: BoxContext): Buffer =>
  Buffer.from(JSON.stringify([stage, key, secretId, number, keyVersion]));

// A byte order mark is part of the value.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Seals a value to the vault's public key (SubjectPublicKeyInfo in DER, as KMS returns it): the encapsulated key of 65
 * bytes, then the ciphertext with its tag, in all 81 bytes more than the value. Throws a TypeError where the key is
 * not a P-256 key or the value holds half of a surrogate pair, which UTF-8 cannot write.
 */
export const seal = (publicKeySpkiDer: Uint8Array, context: BoxContext, value: string): Uint8Array => {
  if (!value.isWellFormed()) throw new TypeError('The value is not well-formed Unicode.');
  const { enc, ciphertext } = hpke.seal(
    hpke.pointOfSpki(publicKeySpkiDer),
    INFO,
    associatedData(context),
    Buffer.from(value),
  );
  return Buffer.concat([enc, ciphertext]);
};

/** Reads a private key of the vault (PKCS #8 in DER, as KMS returns it). Throws a TypeError where it is none. */
export const importPrivateKey = (pkcs8Der: Uint8Array): PrivateKey => {
  try {
    return hpke.keyPairOf(createPrivateKey({ key: Buffer.from(pkcs8Der), format: 'der', type: 'pkcs8' }));
  } catch {
    throw new TypeError('Not a P-256 private key.');
  }
};

/** Whether a public key (SubjectPublicKeyInfo in DER) is that of a private key. Throws where it is not one of P-256. */
export const isPairOf = ({ point }: PrivateKey, publicKeySpkiDer: Uint8Array): boolean =>
  Buffer.compare(point, hpke.pointOfSpki(publicKeySpkiDer)) === 0;

/** Opens a box that was sealed in the same context. Errors: BoxError, always the same. */
export const open = (privateKey: PrivateKey, context: BoxContext, box: Uint8Array): string => {
  const sealed = { enc: box.subarray(0, hpke.POINT_BYTES), ciphertext: box.subarray(hpke.POINT_BYTES) };
  try {
    return UTF8.decode(hpke.open(privateKey, INFO, associatedData(context), sealed));
  } catch {
    throw new BoxError();
  }
};

import { createPrivateKey } from 'node:crypto';
import * as hpke from './hpke.ts';

/** The context of a box. It opens only with exactly the same context. */
export interface BoxContext {
  readonly stage: string;
  readonly environment: string;
  readonly key: string;
  /** Id of this incarnation of the secret. */
  readonly secretId: string;
  /** Number of the value: assigned when it is encrypted, never used again. */
  readonly number: number;
  readonly keyVersion: number;
}

/** A private key of the vault, ready to open boxes. */
export type PrivateKey = hpke.KeyPair;

/** A box did not open. The message never says why, because the reason would only help an attacker. */
export class BoxError extends Error {
  constructor() {
    super('The box does not open.');
    this.name = 'BoxError';
  }
}

export const INFO = hpke.prepareInfo(Buffer.from('cuevault/secret-value/1'));

// A JSON array, so that no two contexts have the same encoding.
export const associatedData = (context: BoxContext): Buffer => {
  const { stage, environment, key, secretId, number, keyVersion } = context;
  return Buffer.from(JSON.stringify([stage, environment, key, secretId, number, keyVersion]));
};

// A byte order mark is part of the value.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads a private key of the vault (PKCS #8 in DER, as KMS returns it). Throws a TypeError if it is not one. */
export const importPrivateKey = (pkcs8Der: Uint8Array): PrivateKey => {
  try {
    return hpke.keyPairOf(createPrivateKey({ key: Buffer.from(pkcs8Der), format: 'der', type: 'pkcs8' }));
  } catch {
    throw new TypeError('Not a P-256 private key.');
  }
};

/** Whether a public key (SubjectPublicKeyInfo in DER) belongs to a private key. Throws if it is not a P-256 key. */
export const isPairOf = ({ point }: PrivateKey, publicKeySpkiDer: Uint8Array): boolean =>
  Buffer.compare(point, hpke.pointOfSpki(publicKeySpkiDer)) === 0;

/** Opens a box that was encrypted with the same context. */
export const open = (privateKey: PrivateKey, context: BoxContext, box: Uint8Array): string => {
  const encrypted = { enc: box.subarray(0, hpke.POINT_BYTES), ciphertext: box.subarray(hpke.POINT_BYTES) };
  try {
    return UTF8.decode(hpke.open(privateKey, INFO, associatedData(context), encrypted));
  } catch {
    throw new BoxError();
  }
};

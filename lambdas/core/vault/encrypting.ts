import { createPublicKey } from 'node:crypto';
import { associatedData, type BoxContext, INFO } from './encryption.ts';
import * as hpke from './hpke.ts';

/**
 * Encrypts a value to the vault's public key (SubjectPublicKeyInfo in DER, as KMS returns it): the encapsulated key of 65
 * bytes, then the ciphertext with its tag, in total 81 bytes more than the value. Throws a TypeError if the key is
 * not a P-256 key or the value contains half of a surrogate pair, which UTF-8 cannot encode.
 */
export const encryptValue = (
  publicKeySpkiDer: Uint8Array,
  context: BoxContext,
  value: string,
): Uint8Array => {
  if (!value.isWellFormed()) throw new TypeError('The value is not well-formed Unicode.');
  const { enc, ciphertext } = hpke.encrypt(
    hpke.pointOfSpki(publicKeySpkiDer),
    INFO,
    associatedData(context),
    Buffer.from(value),
  );
  return Buffer.concat([enc, ciphertext]);
};

/** Whether these bytes are a P-256 public key (SubjectPublicKeyInfo in DER) that values can be encrypted to. */
export const isVaultPublicKey = (spkiDer: Uint8Array): boolean => {
  try {
    hpke.pointOfSpki(spkiDer);
    createPublicKey({ key: Buffer.from(spkiDer), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
};

import { createHash } from 'node:crypto';
import { type BoundedMap, createBoundedMap } from './bounded-map.ts';
import { importPublicKey, isSignedBy, type PublicKey, taggedSignature } from './signing.ts';

/** Signs messages and verifies them. */
export interface Signing {
  /** The known keys, as `createSigning` received them. */
  readonly publicKeys: string;
  /** Returns the signature of a message with the id of its key. Errors: those of the signer. */
  readonly sign: (message: Uint8Array) => Promise<Uint8Array>;
  /** Whether one of the known keys signed the message. */
  readonly isSigned: (message: Uint8Array, signature: unknown) => boolean;
  /** The highest revision seen of each row. */
  readonly seen: BoundedMap<number>;
}

/** Signs a message with ECDSA over SHA-256; the signature is DER. */
export type Signer = (message: Uint8Array) => Promise<Uint8Array>;

const REMEMBERED = 10_000;

const cannotSign: Signer = () => Promise.reject(new Error('This function does not sign rows.'));

/**
 * Verifies with the public keys, given as SubjectPublicKeyInfo in DER and base64, separated by spaces, and signs with
 * `signer`, whose key is the first. Verified rows are cached by digest: verifying one again costs only a hash.
 */
export const createSigning = (publicKeys: string, signer: Signer = cannotSign): Signing => {
  const verified = createBoundedMap<true>(REMEMBERED);
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
    seen: createBoundedMap(REMEMBERED),
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

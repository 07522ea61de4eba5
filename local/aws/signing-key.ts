import { createECDH, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

const CURVE = 'prime256v1';
const SCALAR_BYTES = 32;
const COORDINATE_BYTES = 32;

/**
 * Derives a P-256 key pair from a secret key with HKDF (RFC 5869): one file contains both keys of the KMS stand-in, so
 * neither can exist without the other. `publicKey` is SubjectPublicKeyInfo in DER.
 */
export const deriveSigningKey = (
  secret: Uint8Array,
): { readonly privateKey: KeyObject; readonly publicKey: Buffer } => {
  for (let attempt = 0; ; attempt++) {
    const scalar = Buffer.from(
      hkdfSync('sha256', secret, '', `cuevault/local-signing-key/1/${attempt}`, SCALAR_BYTES),
    );
    const ecdh = createECDH(CURVE);
    try {
      ecdh.setPrivateKey(scalar);
    } catch {
      // A scalar must be below the order of the curve: one in 2^32 is not.
      continue;
    }
    const point = ecdh.getPublicKey();
    const privateKey = createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        d: scalar.toString('base64url'),
        x: point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url'),
        y: point.subarray(1 + COORDINATE_BYTES).toString('base64url'),
      },
    });
    return { privateKey, publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }) };
  }
};

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

// Hybrid Public Key Encryption, RFC 9180, base mode, single shot. The only suite: DHKEM(P-256, HKDF-SHA256),
// HKDF-SHA256, AES-256-GCM. Labels, identifiers and lengths are those of sections 4 to 7.
const HASH = 'sha256';
const HASH_BYTES = 32;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const AEAD = 'aes-256-gcm';
const MODE_BASE = Buffer.from([0]);
const KEM_SUITE = Buffer.concat([Buffer.from('KEM'), Buffer.from([0, 0x10])]);
const HPKE_SUITE = Buffer.concat([Buffer.from('HPKE'), Buffer.from([0, 0x10, 0, 1, 0, 2])]);
const NOTHING = Buffer.alloc(0);

// SubjectPublicKeyInfo of a P-256 key (RFC 5480) before the 65 bytes of its uncompressed point.
const SPKI_START = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const UNCOMPRESSED = 4;

/** Bytes of an uncompressed P-256 point, which is also the form of an encapsulated key. */
export const POINT_BYTES = 65;

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** The public key as an uncompressed point. */
  readonly point: Uint8Array;
}

/** The part of the key schedule that depends on the application's `info`, computed once. */
export interface Info {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

export interface Encrypted {
  /** The encapsulated key: the ephemeral public key as an uncompressed point. */
  readonly enc: Uint8Array;
  /** The ciphertext, followed by its tag of 16 bytes. */
  readonly ciphertext: Uint8Array;
}

const labeledIkm = (suite: Uint8Array, label: string, ikm: Uint8Array) =>
  Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), ikm]);

const labeledInfo = (suite: Uint8Array, label: string, info: Uint8Array, length: number) =>
  Buffer.concat([Buffer.from([length >> 8, length & 0xff]), labeledIkm(suite, label, info)]);

const hkdf = (ikm: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync(HASH, ikm, salt, info, length));

/** Computes the part of the key schedule that depends only on the application's `info`. */
export const prepareInfo = (info: Uint8Array): Info => {
  const hashed = (label: string, ikm: Uint8Array) =>
    createHmac(HASH, NOTHING)
      .update(labeledIkm(HPKE_SUITE, label, ikm))
      .digest();
  const context = Buffer.concat([MODE_BASE, hashed('psk_id_hash', NOTHING), hashed('info_hash', info)]);
  return {
    key: labeledInfo(HPKE_SUITE, 'key', context, KEY_BYTES),
    nonce: labeledInfo(HPKE_SUITE, 'base_nonce', context, NONCE_BYTES),
  };
};

/** The point of a P-256 public key in SubjectPublicKeyInfo form; throws if it is anything else. */
export const pointOfSpki = (der: Uint8Array): Uint8Array => {
  const start = der.subarray(0, SPKI_START.length);
  if (der.length !== SPKI_START.length + POINT_BYTES || !SPKI_START.equals(start)) {
    throw new TypeError('Not a P-256 public key with an uncompressed point.');
  }
  return der.subarray(SPKI_START.length);
};

// The import checks that the point is on the curve. The length and the first byte are checked here, because the
// import also accepts compressed and hybrid forms of a point.
const publicKeyOf = (point: Uint8Array) => {
  if (point.length !== POINT_BYTES || point[0] !== UNCOMPRESSED) {
    throw new TypeError('Not an uncompressed P-256 point.');
  }
  return createPublicKey({ key: Buffer.concat([SPKI_START, point]), format: 'der', type: 'spki' });
};

// Via JWK, whose coordinates always have full length: takes half the time of exporting DER.
const pointOf = (key: KeyObject) => {
  const { crv, x, y } = key.export({ format: 'jwk' });
  if (crv !== 'P-256' || x === undefined || y === undefined) throw new TypeError('Not a P-256 key.');
  return Buffer.concat([
    Buffer.from([UNCOMPRESSED]),
    Buffer.from(x, 'base64url'),
    Buffer.from(y, 'base64url'),
  ]);
};

/** The key pair of a P-256 private key; throws if it is of another kind. */
export const keyPairOf = (privateKey: KeyObject): KeyPair => ({
  privateKey,
  point: pointOf(createPublicKey(privateKey)),
});

const EAE_PRK = labeledIkm(KEM_SUITE, 'eae_prk', NOTHING);
const SHARED_SECRET = labeledInfo(KEM_SUITE, 'shared_secret', NOTHING, HASH_BYTES);
const SECRET = labeledIkm(HPKE_SUITE, 'secret', NOTHING);

const keysOf = (dh: Uint8Array, enc: Uint8Array, recipient: Uint8Array, info: Info) => {
  const kemInfo = Buffer.concat([SHARED_SECRET, enc, recipient]);
  const sharedSecret = hkdf(Buffer.concat([EAE_PRK, dh]), NOTHING, kemInfo, HASH_BYTES);
  return {
    key: hkdf(SECRET, sharedSecret, info.key, KEY_BYTES),
    nonce: hkdf(SECRET, sharedSecret, info.nonce, NONCE_BYTES),
  };
};

/**
 * Encrypts with a given ephemeral key pair. Only for the published test vectors: a pair that is used twice reveals both
 * plaintexts. Call `encrypt` instead.
 */
export const encryptWith = (
  ephemeral: KeyPair,
  recipient: Uint8Array,
  info: Info,
  aad: Uint8Array,
  plaintext: Uint8Array,
): Encrypted => {
  const dh = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: publicKeyOf(recipient) });
  const { key, nonce } = keysOf(dh, ephemeral.point, recipient, info);
  const cipher = createCipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES }).setAAD(aad);
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  return { enc: ephemeral.point, ciphertext };
};

/** Encrypts to a public key, given as an uncompressed point; throws if it is not a point of P-256. */
export const encrypt = (
  recipient: Uint8Array,
  info: Info,
  aad: Uint8Array,
  plaintext: Uint8Array,
): Encrypted => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return encryptWith(keyPairOf(privateKey), recipient, info, aad, plaintext);
};

/** Opens what was encrypted to the key pair with the same info and associated data; throws otherwise. */
export const open = (
  recipient: KeyPair,
  info: Info,
  aad: Uint8Array,
  { enc, ciphertext }: Encrypted,
): Buffer => {
  const dh = diffieHellman({ privateKey: recipient.privateKey, publicKey: publicKeyOf(enc) });
  const { key, nonce } = keysOf(dh, enc, recipient.point, info);
  const tagAt = ciphertext.length - TAG_BYTES;
  if (tagAt < 0) throw new RangeError('Shorter than its tag.');
  const decipher = createDecipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(aad)
    .setAuthTag(ciphertext.subarray(tagAt));
  return Buffer.concat([decipher.update(ciphertext.subarray(0, tagAt)), decipher.final()]);
};

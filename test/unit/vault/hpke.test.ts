import { createECDH, createPrivateKey } from 'node:crypto';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_P256_HKDF_SHA256 } from 'hpke';
import {
  encrypt,
  encryptWith,
  type KeyPair,
  keyPairOf,
  open,
  prepareInfo,
} from '../../../lambdas/core/vault/hpke.ts';
import { vectorsIn } from '../../support/vectors.ts';

const vector = vectorsIn('hpke');
const bytes = (hex: string) => Buffer.from(hex, 'hex');

const keyPairOfScalar = (scalar: Uint8Array): KeyPair => {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(scalar);
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: Buffer.from(scalar).toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return keyPairOf(createPrivateKey({ key: jwk, format: 'jwk' }));
};

const recipient = keyPairOfScalar(bytes(vector.skRm));
const info = prepareInfo(bytes(vector.info));
const aad = bytes(vector.aad);
const published = { enc: bytes(vector.enc), ciphertext: bytes(vector.ct) };
const suite = new CipherSuite(KEM_DHKEM_P256_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);

test('sealing with the published ephemeral key gives the published encapsulated key and ciphertext', () => {
  const ephemeral = keyPairOfScalar(bytes(vector.skEm));
  const { enc, ciphertext } = encryptWith(ephemeral, bytes(vector.pkRm), info, aad, bytes(vector.pt));
  expect(Buffer.from(enc).toString('hex')).toBe(vector.enc);
  expect(Buffer.from(ciphertext).toString('hex')).toBe(vector.ct);
});

test('the published ciphertext decrypts to the published plaintext', () => {
  expect(Buffer.from(recipient.point).toString('hex')).toBe(vector.pkRm);
  expect(open(recipient, info, aad, published).toString('hex')).toBe(vector.pt);
});

test('no two sealings use the same ephemeral key', () => {
  const encs = Array.from(
    { length: 20 },
    () => encrypt(recipient.point, info, aad, Buffer.from('value')).enc,
  );
  expect(new Set(encs.map((enc) => Buffer.from(enc).toString('hex'))).size).toBe(20);
});

test.each([0, 1, 48, 65_536])(
  'another implementation decrypts %i bytes sealed here, and the reverse',
  async (length) => {
    const { publicKey, privateKey } = await suite.GenerateKeyPair(true);
    const ours = keyPairOfScalar(await suite.SerializePrivateKey(privateKey));
    const plaintext = Buffer.alloc(length, 'x');
    const context = { aad, info: bytes(vector.info) };
    const { enc, ciphertext } = encrypt(ours.point, info, aad, plaintext);
    expect(Buffer.from(await suite.Open(privateKey, enc, ciphertext, context)).equals(plaintext)).toBe(true);
    const theirs = await suite.Seal(publicKey, plaintext, context);
    const sealed = { enc: theirs.encapsulatedSecret, ciphertext: theirs.ciphertext };
    expect(open(ours, info, aad, sealed).equals(plaintext)).toBe(true);
  },
);

const compressed = Buffer.concat([
  Buffer.from([2 + ((published.enc[64] ?? 0) & 1)]),
  published.enc.subarray(1, 33),
]);
const offCurve = Buffer.from(published.enc);
offCurve[64] = (offCurve[64] ?? 0) ^ 1;
const hybrid = Buffer.from(published.enc);
hybrid[0] = 6 + ((hybrid[64] ?? 0) & 1);
const points: [string, Uint8Array][] = [
  ['a point off the curve', offCurve],
  ['a compressed point', compressed],
  ['a hybrid point', hybrid],
  ['a point with a byte too many', Buffer.concat([published.enc, Buffer.alloc(1)])],
  ['the point at infinity', Buffer.alloc(1)],
  ['zeros', Buffer.concat([Buffer.from([4]), Buffer.alloc(64)])],
  ['coordinates above the field', Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 0xff)])],
  ['nothing', Buffer.alloc(0)],
];

test.each(points)('%s is rejected as an encapsulated key and as a recipient', (_, point) => {
  expect(() => open(recipient, info, aad, { ...published, enc: point })).toThrow();
  expect(() => encrypt(point, info, aad, Buffer.from('value'))).toThrow();
});

import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';
import type { JsonObject as Fields } from '../../contract/fields/fields.ts';
import { SIGNING } from '../../contract/functions/signing-key.ts';
import { KEY_ARNS } from './account.ts';
import { readKeyFile } from './key-file.ts';
import { type AwsReply, awsFailure, awsReply, unsupported } from './reply.ts';

const { VaultKey, SigningKey } = KEY_ARNS;
const SCALAR_BYTES = 32;
/** A private key of P-256 in PKCS #8, up to its scalar. */
const PKCS8 = Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex');

/**
 * Derives a P-256 key pair from a secret key with HKDF (RFC 5869): one file contains both keys of the KMS stand-in, so
 * neither can exist without the other. `publicKey` is SubjectPublicKeyInfo in DER. One scalar in 2^32 is above the order
 * of the curve, and fails.
 */
const deriveSigningKey = (secret: Uint8Array) => {
  const scalar = hkdfSync('sha256', secret, '', 'cuevault/local-signing-key/1/0', SCALAR_BYTES);
  const key = Buffer.concat([PKCS8, new Uint8Array(scalar)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }) };
};

/** Answers one call of KMS: its `x-amz-target` and its parsed body. */
export type Kms = (target: string, body: unknown) => AwsReply;

class KmsFailure extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** KMS accepts no longer raw message. */
const MESSAGE_BYTES = 4096;
const AEAD = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const invalid = (message: string) => new KmsFailure('ValidationException', message);
const invalidCiphertext = () =>
  new KmsFailure('InvalidCiphertextException', 'The ciphertext or its encryption context is not valid.');

// In a fixed order: KMS compares encryption contexts as sets.
const associatedData = (context: unknown = {}): Buffer =>
  Buffer.from(
    JSON.stringify([VaultKey, Object.entries(context as object).sort(([a], [b]) => (a < b ? -1 : 1))]),
  );

const encrypt = (key: Uint8Array, aad: Uint8Array, plaintext: Uint8Array): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES }).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};

const decrypt = (key: Uint8Array, aad: Uint8Array, blob: Uint8Array): Buffer => {
  try {
    const nonce = blob.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(AEAD, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(aad)
      .setAuthTag(blob.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(blob.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
};

const generatePair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });

/** Checks that a call names a key by its ARN. */
const checkKey = (given: unknown, wanted: string): void => {
  if (given !== wanted) throw new KmsFailure('NotFoundException', `Key '${String(given)}' does not exist.`);
};

/**
 * A local replacement for the operations of AWS KMS that Cuevault calls, with real cryptography: `Decrypt` and
 * `GenerateDataKeyPairWithoutPlaintext` (ECC_NIST_P256) under one AES-256 key, stored in `keyFile`, which the first use
 * creates; `Sign` (ECDSA_SHA_256) and `GetPublicKey` with a P-256 key that is derived from it. Errors: `StartError` if the file cannot be used. Failed calls get the replies that KMS sends.
 */
export const createKms = (keyFile: string): Kms => {
  const key = readKeyFile(keyFile);
  const signingKey = deriveSigningKey(key);

  const operations: { readonly [target: string]: (fields: Fields) => Fields } = {
    'TrentService.Decrypt': ({ CiphertextBlob, EncryptionContext, KeyId = VaultKey }) => {
      checkKey(KeyId, VaultKey);
      const blob = Buffer.from(String(CiphertextBlob), 'base64');
      const plaintext = decrypt(key, associatedData(EncryptionContext), blob).toString('base64');
      return { KeyId: VaultKey, Plaintext: plaintext };
    },
    'TrentService.GenerateDataKeyPairWithoutPlaintext': ({ EncryptionContext, KeyId, KeyPairSpec }) => {
      checkKey(KeyId, VaultKey);
      if (KeyPairSpec !== 'ECC_NIST_P256') throw invalid('KeyPairSpec must be ECC_NIST_P256.');
      const { publicKey, privateKey } = generatePair();
      const sealed = encrypt(key, associatedData(EncryptionContext), privateKey).toString('base64');
      const PublicKey = publicKey.toString('base64');
      return { KeyId: VaultKey, PrivateKeyCiphertextBlob: sealed, PublicKey };
    },
    'TrentService.Sign': ({ KeyId, Message, MessageType, SigningAlgorithm }) => {
      checkKey(KeyId, SigningKey);
      if (MessageType !== SIGNING.messageType || SigningAlgorithm !== SIGNING.algorithm)
        throw invalid('MessageType must be RAW, and SigningAlgorithm ECDSA_SHA_256.');
      const message = Buffer.from(String(Message), 'base64');
      if (message.length < 1 || message.length > MESSAGE_BYTES)
        throw invalid('Message must be 1 to 4096 bytes.');
      const signature = sign('sha256', message, signingKey.privateKey);
      return { KeyId: SigningKey, Signature: signature.toString('base64') };
    },
    'TrentService.GetPublicKey': ({ KeyId }) => {
      checkKey(KeyId, SigningKey);
      return {
        KeyId: SigningKey,
        PublicKey: signingKey.publicKey.toString('base64'),
      };
    },
  };

  return (target, body) => {
    try {
      const operation = Object.hasOwn(operations, target) ? operations[target] : undefined;
      return operation === undefined ? unsupported() : awsReply(operation(body as Fields));
    } catch (error) {
      if (error instanceof KmsFailure) return awsFailure(error.type, error.message);
      throw error;
    }
  };
};

/** The public key of the signing key, as base64 of DER. */
export const publicKeyOf = (kms: Kms): string => {
  const { body } = kms('TrentService.GetPublicKey', { KeyId: SigningKey });
  return String((JSON.parse(body) as { readonly PublicKey?: string }).PublicKey);
};

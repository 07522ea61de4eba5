import { createCipheriv, randomBytes } from 'node:crypto';
import path from 'node:path';
import { KEY_ARNS } from '../../../local/aws/account.ts';
import { readKeyFile } from '../../../local/aws/key-file.ts';
import { createKms } from '../../../local/aws/kms.ts';
import { newFolder } from '../../support/new-folder.ts';

const KeyId = KEY_ARNS.VaultKey;
const EncryptionContext = { service: 'cuevault', stage: 'test', purpose: 'vault', keyVersion: '1' };

const keyFile = path.join(newFolder(), 'kms.key');
const kms = createKms(keyFile);

interface Reply {
  readonly status: number;
  readonly PrivateKeyCiphertextBlob?: string;
  readonly Plaintext?: string;
}

const call = (operation: string, fields: object): Reply => {
  const { status, body } = kms(`TrentService.${operation}`, fields);
  return { status, ...JSON.parse(body) };
};
const generate = (options: object = {}) =>
  call('GenerateDataKeyPairWithoutPlaintext', {
    KeyId,
    KeyPairSpec: 'ECC_NIST_P256',
    EncryptionContext,
    ...options,
  });
const newBlob = () => Buffer.from(generate().PrivateKeyCiphertextBlob ?? '', 'base64');
const decrypt = (blob: Uint8Array, options: object = {}) =>
  call('Decrypt', { CiphertextBlob: Buffer.from(blob).toString('base64'), EncryptionContext, ...options });
const failed = (__type: string) => ({ status: 400, __type, message: expect.any(String) });
const INVALID = failed('InvalidCiphertextException');

test('a private key is never returned unencrypted', () => {
  const blob = newBlob();
  const plain = Buffer.from(decrypt(blob).Plaintext ?? '', 'base64');
  expect(plain.length).toBeGreaterThan(60);
  expect(blob.includes(plain.subarray(0, 40))).toBe(false);
});

test('a ciphertext of another key does not decrypt, even under the same master key', () => {
  const sealedFor = (arn: string) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', readKeyFile(keyFile), nonce);
    cipher.setAAD(Buffer.from(JSON.stringify([arn, []])));
    return Buffer.concat([nonce, cipher.update('x'), cipher.final(), cipher.getAuthTag()]);
  };
  const none = { EncryptionContext: {} };
  expect(decrypt(sealedFor(KeyId), none)).toMatchObject({ KeyId });
  for (const arn of [`${KeyId}2`, KEY_ARNS.SigningKey])
    expect(decrypt(sealedFor(arn), none)).toEqual(INVALID);
});

test('every part of the encryption context matters, its order does not', () => {
  const blob = newBlob();
  const reversed = Object.fromEntries(Object.entries(EncryptionContext).reverse());
  expect(decrypt(blob, { EncryptionContext: reversed }).status).toBe(200);
  const { stage: _, ...less } = EncryptionContext;
  for (const other of [{ ...EncryptionContext, stage: 'prod' }, { ...EncryptionContext, more: '' }, less, {}])
    expect(decrypt(blob, { EncryptionContext: other })).toEqual(INVALID);
});

test('a changed, truncated or forged ciphertext does not decrypt', () => {
  const blob = newBlob();
  const changed = [0, 15, 40, blob.length - 1].map((at) =>
    blob.map((byte, i) => (i === at ? byte ^ 1 : byte)),
  );
  for (const wrong of [...changed, blob.subarray(1), blob.subarray(0, 20), Buffer.from('junk')])
    expect(decrypt(wrong)).toEqual(INVALID);
});

test('no other key exists', () => {
  const { PrivateKeyCiphertextBlob = '' } = generate();
  const blob = Buffer.from(PrivateKeyCiphertextBlob, 'base64');
  expect(decrypt(blob, { KeyId })).toMatchObject({ KeyId });
  const none = failed('NotFoundException');
  expect([decrypt(blob, { KeyId: 'other' }), generate({ KeyId: `${KeyId}2` })]).toEqual([none, none]);
});

test('other operations and key specs are rejected', () => {
  expect(call('Encrypt', { KeyId, Plaintext: 'eA==' })).toEqual(failed('UnknownOperationException'));
  expect(generate({ KeyPairSpec: 'RSA_2048' })).toEqual(failed('ValidationException'));
});

import { createCipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyPairWithoutPlaintextCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import { KEY_ARNS } from '../../../local/aws/account.ts';
import { readKeyFile } from '../../../local/aws/key-file.ts';
import { createKms } from '../../../local/aws/kms.ts';
import { listenOnLoopback } from '../../../local/loopback.ts';
import { newFolder } from '../../support/new-folder.ts';

const KEY_ARN = KEY_ARNS.VaultKey;
const CONTEXT = { service: 'cuevault', stage: 'test', purpose: 'vault', keyVersion: '1' };

const keyFile = path.join(newFolder(), 'kms.key');

const kms = createKms(keyFile);
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const reply = kms(String(request.headers['x-amz-target']), JSON.parse(body.toString()));
  response.writeHead(reply.status, { 'content-type': 'application/x-amz-json-1.1' }).end(reply.body);
});
let client: KMSClient;
beforeAll(async () => {
  client = new KMSClient({
    endpoint: `http://${await listenOnLoopback(server)}`,
    region: 'local',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(() => {
  client.destroy();
  server.close();
});

const generate = (options: { EncryptionContext?: Record<string, string>; KeyId?: string } = {}) =>
  client.send(
    new GenerateDataKeyPairWithoutPlaintextCommand({
      KeyId: KEY_ARN,
      KeyPairSpec: 'ECC_NIST_P256',
      EncryptionContext: CONTEXT,
      ...options,
    }),
  );

const decrypt = (
  CiphertextBlob: Uint8Array | undefined,
  options: { EncryptionContext?: Record<string, string>; KeyId?: string } = {},
) => client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: CONTEXT, ...options }));

test('a private key is never returned unencrypted', async () => {
  const { PrivateKeyCiphertextBlob: blob = new Uint8Array() } = await generate();
  const { Plaintext = new Uint8Array() } = await decrypt(blob);
  expect(Buffer.from(blob).includes(Buffer.from(Plaintext).subarray(0, 40))).toBe(false);
});

test('a ciphertext of another key does not decrypt, even under the same master key', async () => {
  const sealedFor = (arn: string) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', readKeyFile(keyFile), nonce);
    cipher.setAAD(Buffer.from(JSON.stringify([arn, []])));
    return Buffer.concat([nonce, cipher.update('x'), cipher.final(), cipher.getAuthTag()]);
  };
  const EncryptionContext = {};
  expect((await decrypt(sealedFor(KEY_ARN), { EncryptionContext })).KeyId).toBe(KEY_ARN);
  for (const arn of [`${KEY_ARN}2`, KEY_ARNS.SigningKey])
    await expect(decrypt(sealedFor(arn), { EncryptionContext })).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
    });
});

test('every part of the encryption context matters, its order does not', async () => {
  const { PrivateKeyCiphertextBlob: blob } = await generate();
  const reversed = Object.fromEntries(Object.entries(CONTEXT).reverse());
  expect((await decrypt(blob, { EncryptionContext: reversed })).Plaintext?.length).toBeGreaterThan(60);
  const { stage: _, ...less } = CONTEXT;
  for (const EncryptionContext of [{ ...CONTEXT, stage: 'prod' }, { ...CONTEXT, more: '' }, less, {}]) {
    await expect(decrypt(blob, { EncryptionContext })).rejects.toMatchObject({
      name: 'InvalidCiphertextException',
      $metadata: { httpStatusCode: 400 },
    });
  }
});

test('a changed, truncated or forged ciphertext does not decrypt', async () => {
  const blob = Buffer.from((await generate()).PrivateKeyCiphertextBlob ?? []);
  const changed = [0, 15, 40, blob.length - 1].map((at) => {
    const copy = Buffer.from(blob);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  });
  for (const wrong of [...changed, blob.subarray(1), blob.subarray(0, 20), Buffer.from('junk')]) {
    await expect(decrypt(wrong)).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  }
});

test('a key is found by ARN or id, and no other key exists', async () => {
  const { PrivateKeyCiphertextBlob: blob } = await generate({ KeyId: 'cuevault-vault' });
  expect((await decrypt(blob, { KeyId: KEY_ARN })).KeyId).toBe(KEY_ARN);
  await expect(decrypt(blob, { KeyId: 'other' })).rejects.toMatchObject({ name: 'NotFoundException' });
  await expect(generate({ KeyId: `${KEY_ARN}2` })).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('other operations and key specs are rejected', async () => {
  await expect(
    client.send(new EncryptCommand({ KeyId: KEY_ARN, Plaintext: Buffer.from('x') })),
  ).rejects.toMatchObject({ name: 'UnknownOperationException' });
  await expect(
    client.send(new GenerateDataKeyPairWithoutPlaintextCommand({ KeyId: KEY_ARN, KeyPairSpec: 'RSA_2048' })),
  ).rejects.toMatchObject({ name: 'ValidationException' });
});

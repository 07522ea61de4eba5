import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mapAwsError } from '../../../lambdas/store/failures.ts';
import type { KeyContext } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import type { VaultKms } from '../../../lambdas/store/vault-keys/rotation-kms.ts';

export interface TestKms extends VaultKms {
  /** How often a private key was unwrapped. */
  unwrapped: number;
  /** While true, every call fails as during an outage of KMS. */
  down: boolean;
}

const outage = () => mapAwsError(Object.assign(new Error('down'), { name: 'KMSInternalException' }));

const aadOf = (context: KeyContext): Buffer => Buffer.from(JSON.stringify(Object.entries(context).sort()));

/** A KMS in memory: binds what it wraps to the encryption context, as the real one does. */
export const createTestKms = (): TestKms => {
  const root = randomBytes(32);
  const wrap = (plain: Uint8Array, context: KeyContext): Uint8Array => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', root, nonce).setAAD(aadOf(context));
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  const kms: TestKms = {
    unwrapped: 0,
    down: false,
    unwrap: async (wrapped, context) => {
      if (kms.down) throw outage();
      kms.unwrapped += 1;
      const decipher = createDecipheriv('aes-256-gcm', root, wrapped.subarray(0, 12), { authTagLength: 16 })
        .setAAD(aadOf(context))
        .setAuthTag(wrapped.subarray(-16));
      return Buffer.concat([decipher.update(wrapped.subarray(12, -16)), decipher.final()]);
    },
    generatePair: async (context) => {
      if (kms.down) throw outage();
      const pair = generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        publicKeyEncoding: { format: 'der', type: 'spki' },
        privateKeyEncoding: { format: 'der', type: 'pkcs8' },
      });
      return { publicKey: pair.publicKey, wrappedPrivateKey: wrap(pair.privateKey, context) };
    },
  };
  return kms;
};

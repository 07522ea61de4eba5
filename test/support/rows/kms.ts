import path from 'node:path';
import { mapAwsError } from '../../../lambdas/store/failures.ts';
import type { KeyContext } from '../../../lambdas/store/vault-keys/key-pairs.ts';
import type { VaultKms } from '../../../lambdas/store/vault-keys/rotation-kms.ts';
import { KEY_ARNS } from '../../../local/aws/account.ts';
import { createKms } from '../../../local/aws/kms.ts';
import { newFolder } from '../new-folder.ts';

export interface TestKms extends VaultKms {
  /** How often a private key was unwrapped. */
  unwrapped: number;
  /** While true, every call fails as during an outage of KMS. */
  down: boolean;
}

const outage = () => mapAwsError(Object.assign(new Error('down'), { name: 'KMSInternalException' }));

/** The stand-in for KMS with a key of its own, in this process. */
export const createTestKms = (): TestKms => {
  const answer = createKms(path.join(newFolder(), 'kms-key.json'));
  const call = (operation: string, EncryptionContext: KeyContext, fields: object) => {
    if (kms.down) throw outage();
    const { status, body } = answer(`TrentService.${operation}`, { ...fields, EncryptionContext });
    if (status !== 200) throw new Error(body);
    return (name: string) => Buffer.from(JSON.parse(body)[name], 'base64');
  };
  const kms: TestKms = {
    unwrapped: 0,
    down: false,
    unwrap: async (wrapped, context) => {
      const blob = Buffer.from(wrapped).toString('base64');
      const bytes = call('Decrypt', context, { CiphertextBlob: blob })('Plaintext');
      kms.unwrapped += 1;
      return bytes;
    },
    generatePair: async (context) => {
      const spec = { KeyId: KEY_ARNS.VaultKey, KeyPairSpec: 'ECC_NIST_P256' };
      const bytes = call('GenerateDataKeyPairWithoutPlaintext', context, spec);
      return { publicKey: bytes('PublicKey'), wrappedPrivateKey: bytes('PrivateKeyCiphertextBlob') };
    },
  };
  return kms;
};

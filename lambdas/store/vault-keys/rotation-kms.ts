import { GenerateDataKeyPairWithoutPlaintextCommand } from '@aws-sdk/client-kms';
import { mapAwsErrors } from '../failures.ts';
import type { KeyContext, VaultUnwrap } from './key-pairs.ts';
import { connectVaultKms } from './kms.ts';

/** The KMS operations of the rotation. */
export interface VaultKms extends VaultUnwrap {
  readonly generatePair: (
    context: KeyContext,
  ) => Promise<{ readonly publicKey: Uint8Array; readonly wrappedPrivateKey: Uint8Array }>;
}

/** The KMS operations of the rotation, which also creates key pairs. */
export const connectRotationKms = (): VaultKms => {
  const { client, KeyId, unwrap } = connectVaultKms();
  return {
    unwrap,
    generatePair: async (context) => {
      const pair = await mapAwsErrors(
        client.send(
          new GenerateDataKeyPairWithoutPlaintextCommand({
            KeyId,
            KeyPairSpec: 'ECC_NIST_P256',
            EncryptionContext: context,
          }),
        ),
      );
      if (pair.PublicKey === undefined || pair.PrivateKeyCiphertextBlob === undefined) {
        throw new Error('KMS answered without a key pair.');
      }
      return { publicKey: pair.PublicKey, wrappedPrivateKey: pair.PrivateKeyCiphertextBlob };
    },
  };
};

import { GenerateDataKeyPairWithoutPlaintextCommand, type KMSClientConfig } from '@aws-sdk/client-kms';
import { mapAwsErrors } from '../failures.ts';
import type { KeyContext, VaultUnwrap } from './key-pairs.ts';
import { connect, keyArn, unwrapWith } from './kms.ts';

/** The KMS operations of the rotation. */
export interface VaultKms extends VaultUnwrap {
  readonly generatePair: (
    context: KeyContext,
  ) => Promise<{ readonly publicKey: Uint8Array; readonly wrappedPrivateKey: Uint8Array }>;
}

/** The KMS operations of the rotation, which also creates key pairs. */
export const connectRotationKms = (
  environment: NodeJS.ProcessEnv = process.env,
  options: KMSClientConfig = {},
): VaultKms => {
  const client = connect(options);
  const KeyId = keyArn(environment);
  return {
    unwrap: unwrapWith(client, KeyId),
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

import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsErrors } from '../failures.ts';
import type { VaultUnwrap } from './key-pairs.ts';

/** The KMS operations of the reader, with the key from the environment (`contract/functions/environment.ts`). */
export const connectVaultKms = () => {
  const client = new KMSClient(CLIENT_OPTIONS);
  const KeyId = process.env[ENVIRONMENT.vaultKeyArn] ?? '';
  const unwrap: VaultUnwrap['unwrap'] = async (wrapped, context) => {
    const { Plaintext } = await mapAwsErrors(
      client.send(new DecryptCommand({ KeyId, CiphertextBlob: wrapped, EncryptionContext: context })),
    );
    if (Plaintext === undefined) throw new Error('KMS answered without the private key.');
    return Plaintext;
  };
  return { client, KeyId, unwrap };
};

import { DecryptCommand, KMSClient, type KMSClientConfig } from '@aws-sdk/client-kms';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import { CLIENT_OPTIONS } from '../connect.ts';
import { mapAwsErrors } from '../failures.ts';
import type { VaultUnwrap } from './key-pairs.ts';

export const connect = (options: KMSClientConfig) => new KMSClient({ ...CLIENT_OPTIONS, ...options });

export const keyArn = (environment: NodeJS.ProcessEnv): string => environment[ENVIRONMENT.vaultKeyArn] ?? '';

export const unwrapWith =
  (client: KMSClient, KeyId: string): VaultUnwrap['unwrap'] =>
  async (wrapped, context) => {
    const { Plaintext } = await mapAwsErrors(
      client.send(new DecryptCommand({ KeyId, CiphertextBlob: wrapped, EncryptionContext: context })),
    );
    if (Plaintext === undefined) throw new Error('KMS answered without the private key.');
    return Plaintext;
  };

/** The KMS operations of the reader, with the key from the environment (`contract/functions/environment.ts`). */
export const connectVaultKms = (
  environment: NodeJS.ProcessEnv = process.env,
  options: KMSClientConfig = {},
): VaultUnwrap => ({ unwrap: unwrapWith(connect(options), keyArn(environment)) });

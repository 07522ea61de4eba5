import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { KMSClient, type KMSClientConfig, SignCommand } from '@aws-sdk/client-kms';
import { ENVIRONMENT } from '../../../contract/functions/environment.ts';
import type { Signer } from '../../core/signing.ts';
import { CLIENT_OPTIONS, connectTable } from '../connect.ts';
import { mapAwsErrors } from '../failures.ts';
import type { Table } from '../table.ts';

const signerWith =
  (client: KMSClient, KeyId: string): Signer =>
  async (message) => {
    const { Signature } = await mapAwsErrors(
      client.send(
        new SignCommand({
          KeyId,
          Message: message,
          MessageType: 'RAW',
          SigningAlgorithm: 'ECDSA_SHA_256',
        }),
      ),
    );
    if (Signature === undefined) throw new Error('KMS answered without a signature.');
    return Signature;
  };

/** Options of both clients. */
type Options = Pick<DynamoDBClientConfig & KMSClientConfig, 'endpoint' | 'region' | 'credentials'>;

/** Connects to the table for a function that writes signed rows: KMS signs them. */
export const connectSigningTable = (
  environment: NodeJS.ProcessEnv = process.env,
  options: Options = {},
): Table => {
  const client = new KMSClient({ ...CLIENT_OPTIONS, ...options });
  const signer = signerWith(client, environment[ENVIRONMENT.signingKeyArn] ?? '');
  return connectTable(environment, options, signer);
};

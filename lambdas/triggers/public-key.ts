import { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import type { CloudFormationCustomResourceEvent } from 'aws-lambda';
import { answerCloudFormation, retryWhileDenied } from '../core/cloudformation.ts';

const kms = new KMSClient();

/** Fetches the public key of the signing key for the deployment: the attribute `PublicKey`, base64 of DER. */
export const handler = (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const KeyId = String(event.ResourceProperties.KeyId);
  return answerCloudFormation(event, KeyId, async () => {
    // There is nothing to remove, and the key may already be gone.
    if (event.RequestType === 'Delete') return {};
    const { PublicKey } = await retryWhileDenied(() => kms.send(new GetPublicKeyCommand({ KeyId })));
    if (PublicKey === undefined) throw new Error('KMS answered without the public key.');
    return { PublicKey: Buffer.from(PublicKey).toString('base64') };
  });
};

import { generateKeyPairSync, sign } from 'node:crypto';
import { createSigning, type Signer, type Signing } from '../../../lambdas/core/signing.ts';

/** A signing key in this process. */
export interface TestSigningKey {
  /** Base64 of DER. */
  readonly publicKey: string;
  readonly signer: Signer;
}

export const createTestSigningKey = (): TestSigningKey => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    signer: async (message) => sign('sha256', message, privateKey),
  };
};

/** Signs rows with its own key pair in this process, and verifies them: a container with an empty memory. */
export const createTestSigning = (): Signing => {
  const { publicKey, signer } = createTestSigningKey();
  return createSigning(publicKey, signer);
};

import { generateKeyPairSync, sign } from 'node:crypto';
import { createSigning, type Signing } from '../../../lambdas/store/signing/signing.ts';

/** Signs rows with a key pair of its own in this process, and verifies them: a container with an empty memory. */
export const createTestSigning = (): Signing => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  return createSigning(spki, async (message) => sign('sha256', message, privateKey));
};

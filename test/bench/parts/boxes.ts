import { generateKeyPairSync } from 'node:crypto';
import { encryptValue } from '../../../lambdas/core/vault/encrypting.ts';
import { importPrivateKey, open } from '../../../lambdas/core/vault/encryption.ts';
import type { Figure } from '../figures.ts';
import { median } from '../statistics.ts';

const BOXES = 2_000;
const VALUE = 'x'.repeat(64);

/** Opening sealed boxes one after another. */
export const boxes = async (): Promise<Figure[]> => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  const key = importPrivateKey(privateKey);
  const context = (number: number) => ({
    stage: 'bench',
    environment: 'default',
    key: 'SERVICE_API_KEY',
    secretId: 'a'.repeat(22),
    number,
    keyVersion: 1,
  });
  const sealed = Array.from({ length: BOXES }, (_, i) => encryptValue(publicKey, context(i), VALUE));
  const times = sealed.map((box, i) => {
    const start = performance.now();
    open(key, context(i), box);
    return performance.now() - start;
  });
  return [
    {
      name: 'opening a sealed box',
      measured: median(times),
      bound: 0.2,
      unit: 'ms',
      from: `median of ${BOXES} opened one after another`,
    },
  ];
};

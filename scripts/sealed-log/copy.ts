import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeObject } from '../../lambdas/core/seal/sealed-object.ts';
import { createSigning, importPublicKey } from '../../lambdas/core/signing.ts';
import { CommandError } from '../aws/stack.ts';
import { objectsIn, type Source } from './source.ts';

const PEM = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

const toBase64 = (pem: string): string =>
  createPublicKey(pem).export({ format: 'der', type: 'spki' }).toString('base64');

/**
 * Reads the public keys in a file, as PEM or as base64 of DER, which is what `aws kms get-public-key` prints: that of
 * the signing key and, after a rotation, those of former ones. Returns them as base64, separated by spaces. Errors:
 * `CommandError`.
 */
export const readPublicKeys = (file: string): string => {
  try {
    const text = readFileSync(file, 'utf8');
    const keys = text.match(PEM)?.map(toBase64) ?? text.split(/\s+/).filter((each) => each !== '');
    for (const key of keys) importPublicKey(Buffer.from(key, 'base64'));
    if (keys.length === 0) throw new Error('it is empty');
    return keys.join(' ');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} contains no P-256 public keys, as PEM or base64: ${reason}`);
  }
};

/** A copy of the bucket in a folder, with the public keys in a file. Errors: `CommandError`. */
export const openCopy = async (folder: string, publicKeys: string): Promise<Source> => {
  const objects = objectsIn(folder);
  const signing = createSigning(readPublicKeys(publicKeys));
  const stageOf = async (): Promise<string> => {
    for (const { read } of objects) {
      try {
        return decodeObject(await read()).stage;
      } catch {}
    }
    return '';
  };
  return { verifier: { signing, settings: { stage: await stageOf() } }, objects, close: async () => {} };
};

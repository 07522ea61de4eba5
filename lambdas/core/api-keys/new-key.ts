import { hash } from 'node:crypto';
import { randomBase62, toBase62 } from '../identifiers.ts';
import { checksum, hashApiKey } from './api-keys.ts';

const PREFIX = 'cue_';
const KEY_ID_LENGTH = 8;
const SECRET_LENGTH = 32;

export const newKeyId = (): string => randomBase62(KEY_ID_LENGTH);

/** The id of the key that an operator creates with a request: the same for each repetition of it. */
export const keyIdOf = (operatorId: string, requestId: string): string =>
  toBase62(BigInt(`0x${hash('sha256', JSON.stringify([operatorId, requestId]))}`), KEY_ID_LENGTH);

/**
 * Creates an API key: `cue_`, its id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all
 * of this in 6 characters of base 62. Show it once; only its hash is stored.
 */
export const generateApiKey = (keyId = newKeyId()) => {
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};

import { randomBase62 } from '../identifiers.ts';
import { checksum, hashApiKey } from './api-keys.ts';

const PREFIX = 'cue_';
const KEY_ID_LENGTH = 8;
const SECRET_LENGTH = 32;

export const newKeyId = (): string => randomBase62(KEY_ID_LENGTH);

/**
 * Creates an API key: `cue_`, the key id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all
 * of this in 6 characters of base 62. Show it once; only its hash is stored.
 */
export const generateApiKey = () => {
  const keyId = newKeyId();
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};

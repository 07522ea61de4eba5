import { randomBase62 } from '../identifiers.ts';
import { checksum, hashApiKey } from './api-keys.ts';

const PREFIX = 'cue_';
const KEY_ID_LENGTH = 8;
const SECRET_LENGTH = 32;

export const newKeyId = (): string => randomBase62(KEY_ID_LENGTH);

export interface NewApiKey {
  /** The key itself. Show it once and do not store it. */
  readonly apiKey: string;
  readonly keyId: string;
  /** The stored part. */
  readonly hash: string;
}

/**
 * Creates an API key: `cue_`, the key id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all
 * of this in 6 characters of base 62.
 */
export const generateApiKey = (): NewApiKey => {
  const keyId = newKeyId();
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};

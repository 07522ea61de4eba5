import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../identifiers.ts';

const PREFIX = 'cue_';
const KEY_ID_LENGTH = 8;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORM = /^(cue_([0-9A-Za-z]{8})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);

export interface NewApiKey {
  /** The key itself. Show it once and do not store it. */
  readonly apiKey: string;
  readonly keyId: string;
  /** The stored part. */
  readonly hash: string;
}

/**
 * SHA-256 of an API key, in hexadecimal. A fast hash is sufficient: the key has 190 random bits, so it cannot be
 * guessed.
 */
export const hashApiKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/**
 * Creates an API key: `cue_`, the key id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all
 * of this in 6 characters of base 62.
 */
export const generateApiKey = (): NewApiKey => {
  const keyId = randomBase62(KEY_ID_LENGTH);
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};

/** The key id in a text with the form and checksum of an API key, otherwise undefined. Reads nothing from the table. */
export const parseApiKey = (text: string): { keyId: string } | undefined => {
  const [, body, keyId, sum] = FORM.exec(text) ?? [];
  return body !== undefined && keyId !== undefined && checksum(body) === sum ? { keyId } : undefined;
};

/** Whether a key has the stored hash; compares in constant time. */
export const matchesHash = (apiKey: string, hash: string): boolean => {
  const kept = Buffer.from(hash, 'hex');
  const given = Buffer.from(hashApiKey(apiKey), 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
};

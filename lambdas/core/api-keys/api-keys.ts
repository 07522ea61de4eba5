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
  /** The key itself: to be shown once and kept nowhere. */
  readonly apiKey: string;
  readonly keyId: string;
  /** What is kept of it. */
  readonly hash: string;
}

/**
 * SHA-256 of an API key, in hexadecimal. A plain hash is enough: the key holds 190 random bits, so there is nothing to
 * guess that a slow hash would protect.
 */
export const hashApiKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/**
 * Makes an API key: `cue_`, the key id (8 characters), `_`, 32 random characters of base 62, and the CRC-32 of all that
 * in 6 characters of base 62.
 */
export const generateApiKey = (): NewApiKey => {
  const keyId = randomBase62(KEY_ID_LENGTH);
  const body = `${PREFIX}${keyId}_${randomBase62(SECRET_LENGTH)}`;
  const apiKey = body + checksum(body);
  return { apiKey, keyId, hash: hashApiKey(apiKey) };
};

/** The key id in a text that has the form and the checksum of an API key, otherwise undefined. Reads nothing. */
export const parseApiKey = (text: string): { keyId: string } | undefined => {
  const [, body, keyId, sum] = FORM.exec(text) ?? [];
  return body !== undefined && keyId !== undefined && checksum(body) === sum ? { keyId } : undefined;
};

/** Whether a key is the one whose hash was kept, in a time that does not depend on where they differ. */
export const matchesHash = (apiKey: string, hash: string): boolean => {
  const kept = Buffer.from(hash, 'hex');
  const given = Buffer.from(hashApiKey(apiKey), 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
};

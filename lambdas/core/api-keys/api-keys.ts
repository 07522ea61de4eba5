import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';
import { toBase62 } from '../identifiers.ts';

const CHECKSUM_LENGTH = 6;
const FORM = /^(cue_([0-9A-Za-z]{8})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/**
 * SHA-256 of an API key, in hexadecimal. A fast hash is sufficient: the key has 190 random bits, so it cannot be
 * guessed.
 */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey);

/** Whether a key has the stored hash; compares in constant time. */
export const matchesHash = (apiKey: string, hash: string): boolean => {
  const kept = Buffer.from(hash, 'hex');
  const given = Buffer.from(hashApiKey(apiKey), 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
};

/** The credential of a request, before any read: an API key, or a token that names its trust as its audience. */
export type Bearer =
  | { readonly apiKey: string; readonly keyId: string }
  | { readonly token: string; readonly keyId: string };

/** The API key that a text is, if it has the form and the checksum of one. */
export const keyIn = (apiKey: string): Bearer | undefined => {
  const [, body, keyId, sum] = FORM.exec(apiKey) ?? [];
  return body !== undefined && keyId !== undefined && checksum(body) === sum ? { apiKey, keyId } : undefined;
};

const TOKEN = /^[\w-]+\.([\w-]+)\.[\w-]+$/;
const AUDIENCE = /^cuevault:.+:([0-9A-Za-z]{8})$/;

const trustIn = (payload: string) => {
  try {
    const { aud } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return AUDIENCE.exec(String([aud].flat()[0]))?.[1];
  } catch {
    return undefined;
  }
};

const tokenIn = (token: string): Bearer | undefined => {
  const [, payload] = TOKEN.exec(token) ?? [];
  if (payload === undefined) return undefined;
  if (token.length > LIMITS.tokenBytes)
    throw new CuevaultError(
      'token_too_large',
      `The token has ${token.length} bytes; at most ${LIMITS.tokenBytes} are allowed. Let its issuer leave out claims.`,
    );
  const keyId = trustIn(payload);
  return keyId === undefined ? undefined : { token, keyId };
};

/**
 * The API key or token in an `Authorization` header, or undefined if there is none of the right form. Nothing of a
 * token is verified here.
 */
export const bearerOf = (header: string | undefined): Bearer | undefined => {
  const credential = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? '';
  return keyIn(credential) ?? tokenIn(credential);
};

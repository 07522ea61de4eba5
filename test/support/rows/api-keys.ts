import { crc32 } from 'node:zlib';
import { toBase62 } from '../../../lambdas/core/identifiers.ts';

/** A well-formed key with a valid checksum and the id of another key. */
export const withWrongSecret = (keyId: string): string => {
  const body = `cue_${keyId}_${'x'.repeat(32)}`;
  return body + toBase62(BigInt(crc32(body)), 6);
};

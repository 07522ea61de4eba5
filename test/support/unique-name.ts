import { randomBytes } from 'node:crypto';

/** A name that is unique across test files: ASCII letters, digits and `_` follow the prefix. */
export const uniqueName = (prefix: string): string => `${prefix}_${randomBytes(5).toString('hex')}`;

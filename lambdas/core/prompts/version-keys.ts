import { VERSION_PATTERN } from '../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';

const PART_DIGITS = 9;

/**
 * The version with its parts zero-padded, so that text order is precedence order. Errors: `invalid_request` unless it
 * is exactly MAJOR.MINOR.PATCH.
 */
export const versionSortKey = (version: string): string => {
  const [, ...parts] = VERSION_PATTERN.exec(version) ?? [];
  if (parts.length === 0) {
    throw new CuevaultError(
      'invalid_request',
      `"${version}" is not a version. Write MAJOR.MINOR.PATCH, such as "1.2.0": three whole numbers up to ${LIMITS.versionPart} without leading zeros.`,
    );
  }
  return parts.map((part) => part.padStart(PART_DIGITS, '0')).join('.');
};

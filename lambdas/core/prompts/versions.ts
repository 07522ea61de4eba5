import compare from 'semver/functions/compare.js';
import inc from 'semver/functions/inc.js';
import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';
import { versionSortKey } from './version-keys.ts';

/** The part of MAJOR.MINOR.PATCH that a bump raises. */
export type VersionPart = 'major' | 'minor' | 'patch';

/** Order by semantic-version precedence: below 0 where `a` is lower, above 0 where it is higher, 0 where equal. */
export const compareVersions = (a: string, b: string): number => compare(a, b);

/** The higher of two versions. */
export const higherVersion = (a: string, b: string): string => (compareVersions(a, b) < 0 ? b : a);

/** The next major, minor or patch version above `version`. Errors: `invalid_request` where a part would overflow. */
export const bumpVersion = (version: string, part: VersionPart): string => {
  const next = inc(version, part) ?? '';
  try {
    versionSortKey(next);
  } catch (cause) {
    throw new CuevaultError(
      'invalid_request',
      `The ${part} part of ${version} cannot be raised: no part may pass ${LIMITS.versionPart}. Bump another part or give the version itself.`,
      { cause },
    );
  }
  return next;
};

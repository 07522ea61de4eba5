import { LIMITS } from '../../../contract/limits.ts';
import { nextVersion, type VersionPart } from '../../../contract/versions.ts';
import { CuevaultError } from '../errors.ts';
import { versionSortKey } from './prompts.ts';

/** The next major, minor or patch version above `version`. */
export const bumpVersion = (version: string, part: VersionPart): string => {
  const next = nextVersion(version, part);
  try {
    versionSortKey(next);
  } catch (cause) {
    throw new CuevaultError(
      'invalid_request',
      `The ${part} part of ${version} cannot be incremented: no part can exceed ${LIMITS.versionPart}. Increment another part, or send "version".`,
      { cause },
    );
  }
  return next;
};

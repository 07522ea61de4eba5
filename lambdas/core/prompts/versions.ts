import { VERSION_PATTERN } from '../../../contract/fields/patterns.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { nextVersion, type VersionPart } from '../../../contract/versions.ts';
import { assertValid } from '../errors.ts';

/** The next major, minor or patch version above `version`. */
export const bumpVersion = (version: string, part: VersionPart): string => {
  const next = nextVersion(version, part);
  assertValid(
    VERSION_PATTERN.test(next),
    `The ${part} part of ${version} cannot be incremented: no part can exceed ${LIMITS.versionPart}. Increment another part, or send "version".`,
  );
  return next;
};

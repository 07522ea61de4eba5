import compare from 'semver/functions/compare.js';
import inc from 'semver/functions/inc.js';

export type VersionPart = 'major' | 'minor' | 'patch';

/** Compares by semantic-version precedence: below 0 if `a` is lower, above 0 if it is higher, 0 if they are equal. */
export const compareVersions = (a: string, b: string): number => compare(a, b);

/** The higher of two versions. */
export const higherVersion = (a: string, b: string): string => (compareVersions(a, b) < 0 ? b : a);

/** The next major, minor or patch version above `version`, which may exceed the limit of a part. */
export const nextVersion = (version: string, part: VersionPart): string => inc(version, part) ?? '';

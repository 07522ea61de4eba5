export type VersionPart = 'major' | 'minor' | 'patch';

const partsOf = (version: string): [number, number, number] => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return [major, minor, patch];
};

/** The next number above `version` with that part raised. */
export const bump = (version: string, part: VersionPart): string => {
  const [major, minor, patch] = partsOf(version);
  if (part === 'major') return `${major + 1}.0.0`;
  return part === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
};

/** Below 0 where `a` is lower, above 0 where it is higher. */
export const compareVersions = (a: string, b: string): number => {
  const others = partsOf(b);
  const index = partsOf(a).findIndex((part, place) => part !== others[place]);
  return index === -1 ? 0 : (partsOf(a)[index] ?? 0) - (others[index] ?? 0);
};

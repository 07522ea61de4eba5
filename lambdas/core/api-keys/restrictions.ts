import { LIMITS } from '../../../contract/limits.ts';
import { CuevaultError } from '../errors.ts';
import { firstFew } from '../names.ts';
import { type ApiKey, statusOf } from './rules.ts';

/** The part of an API key that decides which secrets it reads. Only keys that are limited to tags have one. */
export type Restriction = Pick<
  ApiKey,
  'keyId' | 'name' | 'tags' | 'environments' | 'createdAt' | 'expiresAt'
>;

/** What a change does to one existing secret. */
export interface TagsChange {
  /** The tags before the change; of a deleted secret, those it had last. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** When the secret was deleted (ISO 8601): keys created later could not read it. Absent for one that exists. */
  readonly deletedAt?: string;
}

/** Whether a key reads only some secrets. A key without tags reads all of them, so nothing can widen its access. */
export const isRestricted = ({ permissions, tags }: Pick<ApiKey, 'permissions' | 'tags'>): boolean =>
  permissions.includes('secrets') && tags.length > 0;

/** The restriction of a key. */
export const restrictionOf = (apiKey: ApiKey): Restriction => {
  const { keyId, name, tags, createdAt, environments, expiresAt } = apiKey;
  return { keyId, name, tags, createdAt, environments, expiresAt };
};

/** The restrictions of keys that have not expired. */
export const unexpired = (restrictions: readonly Restriction[], now: Date): readonly Restriction[] =>
  restrictions.filter((restriction) => statusOf(restriction, now) === 'active');

/** Whether the list of restrictions is within its limits. */
export const fitsInRow = (restrictions: readonly Restriction[]): boolean =>
  restrictions.length <= LIMITS.restrictedKeys &&
  Buffer.byteLength(JSON.stringify(restrictions)) <= LIMITS.restrictionBytes;

/** The error for a key that would exceed the limits. */
export const tooManyRestricted = (): CuevaultError =>
  new CuevaultError(
    'too_many_restricted_keys',
    `At most ${LIMITS.restrictedKeys} active API keys can be limited to tags, with ${LIMITS.restrictionBytes} bytes of names and tags together. Revoke keys that are no longer needed.`,
  );

const includesAll = (tags: readonly string[], wanted: readonly string[]) =>
  wanted.every((tag) => tags.includes(tag));

/** Whether a change can let any key read more than before. */
export const canWiden = ({ before, after, deletedAt }: TagsChange): boolean =>
  deletedAt !== undefined || !includesAll(before, after);

const widens = ({ tags, createdAt }: Restriction, { before, after, deletedAt }: TagsChange) => {
  const couldRead = includesAll(before, tags) && (deletedAt === undefined || createdAt <= deletedAt);
  return includesAll(after, tags) && !couldRead;
};

/** The keys that can read at least one of the secrets after the changes, but not before. */
export const gaining = (
  restrictions: readonly Restriction[],
  changes: readonly TagsChange[],
): readonly Restriction[] =>
  restrictions.filter((restriction) => changes.some((change) => widens(restriction, change)));

const NAMED_KEYS = 20;

/** The error for a change that lets keys read secrets that they cannot read now. */
export const wouldWidenAccess = (keys: readonly Restriction[]): CuevaultError => {
  const names = keys.map(({ name }) => `"${name}"`);
  return new CuevaultError(
    'would_widen_access',
    `This would let API keys read secrets that they cannot read now: ${firstFew(names, NAMED_KEYS)}. Only an administrator can do this, with "confirm=true".`,
  );
};

/** The keys that gain access, as an audit entry names them: the first 20, and their number. */
export const widenedDetails = (keys: readonly Restriction[]): object =>
  keys.length === 0
    ? {}
    : {
        widened: {
          count: keys.length,
          keys: keys.slice(0, NAMED_KEYS).map(({ keyId, name }) => ({ keyId, name })),
        },
      };

import { LIMITS, utf8Bytes } from '../../contract/limits.ts';
import { assertValid } from './errors.ts';

/** Returns the distinct tags of a secret or a version. Errors: `invalid_request`. */
export const checkTags = (tags: readonly string[]): readonly string[] => {
  const distinct = [...new Set(tags)];
  assertValid(distinct.length <= LIMITS.tags, `"tags" must contain at most ${LIMITS.tags} tags.`);
  for (const tag of distinct) {
    assertValid(
      tag !== '' && utf8Bytes(tag) <= LIMITS.tagBytes && tag.isWellFormed(),
      `Each of "tags" must be 1 to ${LIMITS.tagBytes} bytes of well-formed UTF-8.`,
    );
  }
  return distinct;
};

/** Whether two lists contain the same tags, in any order. */
export const isSameTags = (some: readonly string[], others: readonly string[]): boolean => {
  const [first, second] = [new Set(some), new Set(others)];
  return first.size === second.size && first.isSubsetOf(second);
};

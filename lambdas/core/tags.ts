import { SAMPLE_TAG } from '../../contract/samples.ts';

/** The distinct tags, in the order given. */
export const distinctTags = (tags: readonly string[]): readonly string[] => [...new Set(tags)];

/** Whether two lists contain the same tags, in any order. */
export const isSameTags = (some: readonly string[], others: readonly string[]): boolean => {
  const first = new Set(some);
  const second = new Set(others);
  return first.size === second.size && first.isSubsetOf(second);
};

/** The tags of a secret with a new value: one with a value of its own is no sample. */
export const withoutSampleTag = (tags: readonly string[]): readonly string[] =>
  tags.filter((tag) => tag !== SAMPLE_TAG);

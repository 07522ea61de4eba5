/** The distinct tags, in the order given. */
export const distinctTags = (tags: readonly string[]): readonly string[] => [...new Set(tags)];

/** Whether two lists contain the same tags, in any order. */
export const isSameTags = (some: readonly string[], others: readonly string[]): boolean => {
  const [first, second] = [new Set(some), new Set(others)];
  return first.size === second.size && first.isSubsetOf(second);
};

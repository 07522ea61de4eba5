/**
 * Whether a prompt's name is one of `patterns`, or begins like a pattern that ends in `*`.
 * No pattern at all matches every name.
 */
export const matchesPromptPatterns = (patterns: readonly string[], name: string): boolean =>
  patterns.length === 0 ||
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );

export interface TokenBucket {
  /** Takes one; false where none is left. */
  readonly take: () => boolean;
  readonly giveBack: () => void;
}

/** Allows `capacity` at once and then one every `everyMs` milliseconds. */
export const createTokenBucket = (
  capacity: number,
  everyMs: number,
  now: () => number = Date.now,
): TokenBucket => {
  let fullAt = now();
  return {
    take: () => {
      const at = now();
      const next = Math.max(fullAt, at) + everyMs;
      if (next - at > capacity * everyMs) return false;
      fullAt = next;
      return true;
    },
    giveBack: () => {
      fullAt -= everyMs;
    },
  };
};

/** Values by key. When the cache is full, the least recently used values are evicted first. */
export interface BoundedCache<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T, bytes: number) => void;
}

/** A cache of at most `maxBytes`, by the sizes that its user passes. Larger values are not cached. */
export const createBoundedCache = <T>(maxBytes: number): BoundedCache<T> => {
  // A Map keeps insertion order, and used values are inserted again, so the first key is the least recently used.
  const entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  let total = 0;

  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, bytes) => {
      drop(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
};

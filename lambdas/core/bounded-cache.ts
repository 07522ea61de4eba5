/** Values by key. When the cache is full, the least recently used values are evicted first. */
export interface BoundedCache<T> {
  readonly get: (key: string) => T | undefined;
  readonly set: (key: string, value: T, size?: number) => void;
}

/** A cache of at most `most` values, or of this size if its user passes the sizes. Larger values are not cached. */
export const createBoundedCache = <T>(most: number): BoundedCache<T> => {
  // A Map keeps insertion order, and used values are inserted again, so the first key is the least recently used.
  const entries = new Map<string, { readonly value: T; readonly size: number }>();
  let total = 0;

  const drop = (key: string) => {
    total -= entries.get(key)?.size ?? 0;
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
    set: (key, value, size = 1) => {
      drop(key);
      if (size > most) return;
      entries.set(key, { value, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= most) break;
        drop(oldest);
      }
    },
  };
};

/** A copy of an answer. */
export interface Copy<Value> {
  readonly value: Value;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Not to be refreshed before this time: an attempt runs, or failed a moment ago. */
  readonly refreshAt: number;
  /** Number of the call that returned it. */
  readonly call: number;
}

/**
 * Milliseconds since a copy arrived. If the clock was set back, the copy counts as old, not as recent forever. So does none.
 */
export const ageOf = (copy: Copy<unknown> | undefined, now = Date.now()): number =>
  copy !== undefined && now >= copy.at ? now - copy.at : Number.MAX_SAFE_INTEGER;

/** A bounded cache of answers: the least recently used one is evicted first. */
export class Cache<Value> {
  readonly #copies = new Map<string, Copy<Value>>();
  readonly #maxEntries: number;
  #newest: string | undefined;
  #calls = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Copy<Value> | undefined {
    const copy = this.#copies.get(key);
    if (copy !== undefined && key !== this.#newest) this.#put(key, copy);
    return copy;
  }

  /** The number of a call that begins now. */
  begin(): number {
    return ++this.#calls;
  }

  /** Keeps the answer to a call, unless a call that began later was answered already. */
  set(key: string, value: Value, call: number): void {
    if ((this.#copies.get(key)?.call ?? 0) > call) return;
    const now = Date.now();
    this.#put(key, { value, at: now, refreshAt: now, call });
  }

  /** Delays the next refresh of a copy. */
  postpone(key: string, ms: number): void {
    const copy = this.#copies.get(key);
    if (copy !== undefined) this.#copies.set(key, { ...copy, refreshAt: Date.now() + ms });
  }

  delete(key: string): void {
    this.#copies.delete(key);
  }

  // A Map keeps the order in which keys were set, so setting a key again makes it the last to be evicted. The newest
  // one is already the last, and programs often request the same one again.
  #put(key: string, copy: Copy<Value>): void {
    this.#copies.delete(key);
    this.#copies.set(key, copy);
    this.#newest = key;
    for (const oldest of this.#copies.keys()) {
      if (this.#copies.size <= this.#maxEntries) return;
      this.#copies.delete(oldest);
    }
  }
}

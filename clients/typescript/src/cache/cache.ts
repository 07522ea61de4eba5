import { now } from '../clock.ts';

/** A copy of an answer. */
export interface Copy<Value, Query = unknown> {
  readonly value: Value;
  /** When it arrived, by `now`. */
  readonly at: number;
  /** Its share of the time for which a copy is recent: not all copies of a process are refreshed at once. */
  readonly jitter: number;
  /** What it answers. */
  readonly query: Query;
  /** Not to be refreshed before this time: an attempt runs, or failed a moment ago. */
  refreshAt: number;
  /** Whether it was asked for since it arrived. */
  isUsed: boolean;
  /** Number of the call that returned it. */
  readonly call: number;
}

/** Milliseconds since a copy arrived; without one, more than any limit. */
export const ageOf = (copy: Copy<unknown> | undefined): number =>
  copy === undefined ? Number.MAX_SAFE_INTEGER : now() - copy.at;

/** A bounded cache of answers: the least recently used one is evicted first. */
export class Cache<Value, Query = unknown> {
  readonly #copies = new Map<string, Copy<Value, Query>>();
  readonly #maxEntries: number;
  #newest: string | undefined;
  #calls = 0;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): Copy<Value, Query> | undefined {
    const copy = this.#copies.get(key);
    if (copy === undefined) return undefined;
    copy.isUsed = true;
    if (key !== this.#newest) this.#put(key, copy);
    return copy;
  }

  /** Whether there is a copy; this does not count as a use of it. */
  has(key: string): boolean {
    return this.#copies.has(key);
  }

  /** The copies that were used since they arrived, the most recently used one first. */
  used(): readonly Copy<Value, Query>[] {
    return [...this.#copies.values()].filter(({ isUsed }) => isUsed).reverse();
  }

  /** The number of a call that begins now. */
  begin(): number {
    return ++this.#calls;
  }

  /** Keeps the answer to a call, unless a call that began later was answered already. */
  set(key: string, query: Query, value: Value, call: number): void {
    if ((this.#copies.get(key)?.call ?? 0) > call) return;
    const jitter = 0.9 + Math.random() * 0.2;
    this.#put(key, { value, at: now(), jitter, query, refreshAt: 0, isUsed: false, call });
  }

  /** Delays the next refresh of a copy. */
  postpone(key: string, ms: number): void {
    const copy = this.#copies.get(key);
    if (copy !== undefined) copy.refreshAt = now() + ms;
  }

  delete(key: string): void {
    this.#copies.delete(key);
  }

  // A Map keeps the order in which keys were set, so setting a key again makes it the last to be evicted. The newest
  // one is already the last, and programs often request the same one again.
  #put(key: string, copy: Copy<Value, Query>): void {
    this.#copies.delete(key);
    this.#copies.set(key, copy);
    this.#newest = key;
    for (const oldest of this.#copies.keys()) {
      if (this.#copies.size <= this.#maxEntries) return;
      this.#copies.delete(oldest);
    }
  }
}

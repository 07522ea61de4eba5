/** A copy of an answer, and when it came. */
export interface Copy<Value> {
  readonly value: Value;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Not to be refreshed before this time: the last attempt failed a moment ago. */
  readonly refreshAt: number;
  /** The number of the call that it answered. */
  readonly call: number;
}

/** Milliseconds since a copy came. A clock that was set back makes the copy old, not young for ever. */
export const ageOf = (copy: Copy<unknown>, now: number): number =>
  now >= copy.at ? now - copy.at : Number.MAX_SAFE_INTEGER;

/** Copies of answers, so many at most: the one that was not used for longest goes first. */
export class Cache<Value> {
  readonly #copies = new Map<string, Copy<Value>>();
  readonly #flights = new Map<string, Promise<Value>>();
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

  /** Keeps the answer to a call, unless there is one already to a call that began later. */
  set(key: string, value: Value, call: number): void {
    if ((this.#copies.get(key)?.call ?? 0) > call) return;
    const now = Date.now();
    this.#put(key, { value, at: now, refreshAt: now, call });
  }

  /** Keeps the copy as it is, and puts off its next refresh. */
  postpone(key: string, ms: number): void {
    const copy = this.#copies.get(key);
    if (copy !== undefined) this.#copies.set(key, { ...copy, refreshAt: Date.now() + ms });
  }

  delete(key: string): void {
    this.#copies.delete(key);
  }

  /** Whether an answer is on its way. */
  isLoading(key: string): boolean {
    return this.#flights.has(key);
  }

  /** Loads an answer; whoever asks for the same one meanwhile shares the call. */
  load(key: string, call: () => Promise<Value>): Promise<Value> {
    const shared = this.#flights.get(key);
    if (shared !== undefined) return shared;
    const flight = call().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  // A Map keeps the order in which keys were set, so setting a key anew makes it the last to go. The newest one is that
  // already, and a program often asks for the same again.
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

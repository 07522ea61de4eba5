import { now } from '../clock.ts';
import { waitFor } from '../http/timer.ts';

/** How one caller waits. */
export interface Wait {
  /** Milliseconds, at most. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Flight<Value> {
  readonly result: Promise<Value>;
  readonly controller: AbortController;
  expiresAt: number;
  waiters: number;
}

/**
 * Calls that several callers share. The call ends when the last of them has stopped waiting. Nobody joins a call older
 * than `maxAgeMs`: the runtime may have ended it silently.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();
  readonly #maxAgeMs: number;

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  /** Joins the running call of this key, or starts one. */
  share(key: string, start: (signal: AbortSignal) => Promise<Value>, wait: Wait = {}): Promise<Value> {
    const running = this.#flights.get(key);
    if (running !== undefined && now() < running.expiresAt) {
      // The timers of the call itself belong to the caller that started it.
      return this.#await(running, { ...wait, timeoutMs: wait.timeoutMs ?? this.#maxAgeMs });
    }
    const flight = this.#start(start);
    this.#flights.set(key, flight);
    const forget = () => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    flight.result.then(forget, forget);
    return this.#await(flight, wait);
  }

  /** Starts a call that is not shared. */
  runUnshared(start: (signal: AbortSignal) => Promise<Value>, wait: Wait = {}): Promise<Value> {
    return this.#await(this.#start(start), wait);
  }

  #start(start: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const controller = new AbortController();
    const result = start(controller.signal);
    result.catch(() => undefined);
    return { result, controller, expiresAt: now() + this.#maxAgeMs, waiters: 0 };
  }

  async #await(flight: Flight<Value>, { timeoutMs, signal }: Wait): Promise<Value> {
    flight.waiters++;
    try {
      return await waitFor(flight.result, { ms: timeoutMs, signal });
    } finally {
      if (--flight.waiters === 0) {
        flight.expiresAt = 0;
        // Without effect on a call that has ended.
        flight.controller.abort();
      }
    }
  }
}

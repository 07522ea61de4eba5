import { codeOf, type Emit, type Subject } from '../events.ts';
import type { Transport } from '../http/transport.ts';
import { canShareConnections } from '../platform.ts';
import { Cache } from './cache.ts';
import { SingleFlight, type Wait } from './single-flight.ts';

/** How long one call waits, and which copies it accepts. */
export interface CallOptions extends Wait {
  /** Milliseconds for this call, all attempts included. @default the client's limits */
  readonly timeoutMs?: number | undefined;
  /** Cancels the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum age in milliseconds of a copy that answers this call. @default the client's cache */
  readonly ttlMs?: number | undefined;
  /** Calls the service even if there is a copy. */
  readonly fresh?: boolean | undefined;
}

export interface LoaderSettings {
  /** No cache and no shared calls when undefined. */
  readonly maxEntries: number | undefined;
  readonly emit: Emit;
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

/** A call for a key; the signal fires when no caller waits for it. */
export type Start<Value> = (signal: AbortSignal) => Promise<Value>;

/** Calls the service and caches its answers. */
export class Loader<Value> {
  readonly cache: Cache<Value> | undefined;
  readonly #transport: Transport;
  readonly #settings: LoaderSettings;
  readonly #flights: SingleFlight<Value>;

  constructor(transport: Transport, settings: LoaderSettings) {
    this.cache = settings.maxEntries === undefined ? undefined : new Cache(settings.maxEntries);
    this.#transport = transport;
    this.#settings = settings;
    this.#flights = new SingleFlight(transport.totalTimeoutMs);
  }

  /** Runs a call under the limits of its caller. Equal calls share one, unless they are `fresh`. */
  load(key: string, start: Start<Value>, { fresh, timeoutMs, signal }: CallOptions = {}): Promise<Value> {
    const wait = { timeoutMs, signal };
    const shared = this.cache !== undefined && fresh !== true && canShareConnections();
    return shared ? this.#flights.share(key, start, wait) : this.#flights.runUnshared(start, wait);
  }

  /** Runs a call in the background, if the service may be called now. */
  refresh(key: string, start: Start<Value>, subject: Subject): void {
    const { breaker, totalTimeoutMs } = this.#transport;
    if (!breaker.allows) return;
    // A refresh that the runtime cuts off never reports: this limits how long it blocks the next one.
    this.cache?.postpone(key, totalTimeoutMs);
    const refreshed = this.load(key, start).catch((error) =>
      this.#settings.emit?.({ ...subject, type: 'refresh_failed', error: codeOf(error) }),
    );
    this.#settings.waitUntil(refreshed);
  }
}

import { isOutage, isRefusal } from '../errors.ts';
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
  /** No cache and no shared calls when 0. */
  readonly maxEntries: number;
  /** Milliseconds for which a copy of what can change is recent. */
  readonly latestMs: number;
  /** Maximum age of a served copy of it in milliseconds. */
  readonly maxStaleMs: number;
  readonly emit: Emit;
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

/** A question to the service. */
export interface Question<Value> {
  /** Everything that the answer depends on, given that one client has one address and one API key. */
  readonly key: string;
  readonly subject: Subject;
  /** Calls the service; the signal fires when no caller waits for it. */
  readonly start: (signal: AbortSignal) => Promise<Value>;
  /** Whether the answer is kept even if it replaces no copy. */
  readonly isKept: boolean;
}

/** Longest pause after a refresh that failed. */
const REFRESH_PAUSE_MS = 5_000;

/** Calls the service and caches its answers. */
export class Loader<Value> {
  readonly cache: Cache<Value>;
  readonly #transport: Transport;
  readonly #settings: LoaderSettings;
  readonly #flights: SingleFlight<Value>;

  constructor(transport: Transport, settings: LoaderSettings) {
    this.cache = new Cache(settings.maxEntries);
    this.#transport = transport;
    this.#settings = settings;
    this.#flights = new SingleFlight(transport.totalTimeoutMs);
  }

  /**
   * What `answerOf` makes of the service's answer. During an outage, and after a call that failed because of one, the
   * substitute for its error, if there is one.
   */
  async ask<Answer>(
    question: Question<Value>,
    options: CallOptions,
    answerOf: (value: Value) => Answer,
    substituteFor: (error: unknown) => Answer | undefined | Promise<Answer | undefined>,
  ): Promise<Answer> {
    const { outage } = this.#transport.breaker;
    const known = outage && (await substituteFor(outage));
    if (known !== undefined) {
      this.refresh(question);
      return known;
    }
    try {
      return answerOf(await this.#load(question, options));
    } catch (error) {
      const substitute = isOutage(error) ? await substituteFor(error) : undefined;
      if (substitute === undefined) throw error;
      return substitute;
    }
  }

  /** Runs a call in the background, if the service may be called now. */
  refresh(question: Question<Value>): void {
    const { breaker, totalTimeoutMs } = this.#transport;
    if (!breaker.allows) return;
    // A refresh that the runtime cuts off never reports: this limits how long it blocks the next one.
    this.cache.postpone(question.key, totalTimeoutMs);
    const refreshed = this.#load(question).catch((error) =>
      this.#settings.emit?.({ ...question.subject, type: 'refresh_failed', error: codeOf(error) }),
    );
    this.#settings.waitUntil(refreshed);
  }

  /** Runs a call under the limits of its caller. Equal calls share one, unless they are `fresh`. */
  #load(question: Question<Value>, { fresh, timeoutMs, signal }: CallOptions = {}): Promise<Value> {
    const wait = { timeoutMs, signal };
    const start = (ended: AbortSignal) => this.#start(question, ended);
    const shared = this.#settings.maxEntries > 0 && fresh !== true && canShareConnections();
    return shared ? this.#flights.share(question.key, start, wait) : this.#flights.runUnshared(start, wait);
  }

  async #start({ key, start, isKept }: Question<Value>, signal: AbortSignal): Promise<Value> {
    const { cache } = this;
    const call = cache.begin();
    try {
      const value = await start(signal);
      if (isKept || cache.get(key) !== undefined) cache.set(key, value, call);
      return value;
    } catch (error) {
      if (isRefusal(error)) cache.delete(key);
      else cache.postpone(key, Math.min(this.#settings.latestMs, REFRESH_PAUSE_MS));
      throw error;
    }
  }
}

import { now } from '../clock.ts';
import { forCaller, isOutage, isRefusal } from '../errors.ts';
import { codeOf, type Emit, type Subject } from '../events.ts';
import { waitFor } from '../http/timer.ts';
import type { Transport } from '../http/transport.ts';
import { canShareConnections, isFreezing } from '../platform.ts';
import { ageOf, Cache, type Copy } from './cache.ts';

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

/** How long one call waits, and which copies it accepts. */
export interface CallOptions extends Wait {
  /** Milliseconds for this call, all attempts included. @default the client's limits */
  readonly timeoutMs?: number | undefined;
  /** Further attempts of this call; of equal calls, the first one's count. @default the client's */
  readonly maxRetries?: number | undefined;
  /** Cancels the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces `latestMs` or `secretsMs` for this call. @default the client's cache */
  readonly ttlMs?: number | undefined;
  /** Calls the service, even if there is a copy, and even during the pause after a failed call. */
  readonly fresh?: boolean | undefined;
}

export interface LoaderSettings {
  /** No cache and no shared calls when 0. */
  readonly maxEntries: number;
  /** Milliseconds for which a copy of what can change is recent. */
  readonly latestMs: number;
  /** Milliseconds that a call waits for the refresh of an old copy. */
  readonly refreshWaitMs: number;
  /** Maximum age of a served copy of it in milliseconds. */
  readonly maxStaleMs: number;
  readonly emit: Emit;
  readonly waitUntil: (promise: Promise<unknown>) => void;
}

/** How the service is called. */
export interface CallMode {
  /** Even during the pause after a failed call. */
  readonly force: boolean;
  readonly maxRetries: number | undefined;
  /** Whether a caller asks now; else it is repeated for what may be asked soon. */
  readonly isForCaller: boolean;
  /** Whether the process stays alive for it: those who wait for a refresh have timers of their own. */
  readonly holds: boolean;
}

/** A query to the service. */
export interface Query<Value> {
  /** Everything that the answer depends on, given that one client has one address and one API key. */
  readonly key: string;
  readonly subject: Subject;
  /** Calls the service; the signal fires when no caller waits for it. */
  readonly start: (signal: AbortSignal, how: CallMode) => Promise<Value>;
  /** Whether the answer is kept even if it replaces no copy. */
  readonly isKept: boolean;
  /** Whether the answer can never change. */
  readonly isFixed: boolean;
}

/** Pauses after failed refreshes are between these, in milliseconds. */
const PAUSE_MS = { shortest: 5_000, longest: 60_000 };
/** Refreshes of a process that begin without being asked for, and those beside them. */
const MOST_REFRESHES = 8;
/** A copy this many times older than recent answers only if the service does not. */
const OLD = 3;

let refreshes = 0;

/** After a refresh that failed: nobody waits for one. Random, so that not all processes return at once. */
class Pause {
  #failures = 0;
  #until = 0;

  get isOver(): boolean {
    return now() >= this.#until;
  }

  begin(): void {
    if (!this.isOver) return;
    const most = Math.min(PAUSE_MS.longest, PAUSE_MS.shortest * 2 ** ++this.#failures);
    this.#until = now() + PAUSE_MS.shortest + Math.random() * (most - PAUSE_MS.shortest);
  }

  end(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}

/** What a copy is good for: it is recent, it answers while it is refreshed, or only if the service does not answer. */
export type Freshness = 'recent' | 'aging' | 'old';

/** Calls the service and caches its answers. */
export class Loader<Value> {
  readonly cache: Cache<Value, Query<Value>>;
  readonly #transport: Transport;
  readonly #settings: LoaderSettings;
  readonly #flights: SingleFlight<Value>;
  readonly #pause = new Pause();

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
    query: Query<Value>,
    options: CallOptions,
    answerOf: (value: Value) => Answer,
    substituteFor: (error: unknown) => Answer | undefined | Promise<Answer | undefined>,
  ): Promise<Answer> {
    const { outage } = this.#transport.breaker;
    const mustCall = options.fresh === true || (isFreezing() && this.#transport.breaker.allows);
    const known = mustCall ? undefined : outage && (await substituteFor(outage));
    if (known !== undefined) {
      this.refresh(query);
      return known;
    }
    try {
      const value = await this.#load(query, options);
      this.cache.get(query.key);
      return answerOf(value);
    } catch (error) {
      const substitute = isOutage(error) ? await substituteFor(error) : undefined;
      if (substitute === undefined) throw forCaller(error);
      return substitute;
    }
  }

  /** How old a copy is: `ttlMs` is for one call. In a runtime that freezes, no work continues behind an answer. */
  freshnessOf(copy: Copy<Value>, ttlMs?: number): Freshness {
    const recentMs = ttlMs ?? this.#settings.latestMs * copy.jitter;
    const ageMs = ageOf(copy);
    if (ageMs < recentMs) return 'recent';
    return ageMs < recentMs * OLD && !isFreezing() ? 'aging' : 'old';
  }

  /** Runs a call in the background, if the service may be called now. */
  refresh(query: Query<Value>): void {
    if (this.#transport.breaker.allows && (this.cache.get(query.key)?.refreshAt ?? 0) <= now())
      this.#begin(query).catch(() => undefined);
  }

  /**
   * The answer that replaces an old copy, or undefined if it does not come within `refreshWaitMs`; the call continues.
   * Other old copies are refreshed with it: after a quiet time, not each of them costs a wait. While the service is known
   * to fail, nobody waits.
   * Errors: those that no copy may replace; the reason of the signal.
   */
  async renew(query: Query<Value>, { timeoutMs, signal }: CallOptions): Promise<Value | undefined> {
    const { breaker } = this.#transport;
    const mayWait = breaker.outage === undefined ? this.#pause.isOver : isFreezing() && breaker.allows;
    if (!mayWait) {
      if (!isFreezing()) this.refresh(query);
      return undefined;
    }
    try {
      const answer = this.#begin(query);
      if (breaker.outage === undefined) this.#refreshOthers(query);
      const ms = Math.min(this.#settings.refreshWaitMs, timeoutMs ?? Number.POSITIVE_INFINITY);
      const value = await waitFor(answer, { ms, signal });
      this.cache.get(query.key);
      return value;
    } catch (error) {
      if (!isOutage(error)) throw forCaller(error);
      this.#pause.begin();
      return undefined;
    }
  }

  #refreshOthers(query: Query<Value>): void {
    if (!canShareConnections()) return;
    for (const copy of this.cache.used()) {
      if (refreshes >= MOST_REFRESHES) return;
      const { key, isFixed } = copy.query;
      if (isFixed || key === query.key || copy.refreshAt > now()) continue;
      if (this.freshnessOf(copy) === 'old') this.#begin(copy.query, false).catch(() => undefined);
    }
  }

  /** A call that continues if nobody waits for it. */
  #begin(query: Query<Value>, isForCaller = true): Promise<Value> {
    // A refresh that the runtime cuts off never reports: this limits how long it blocks the next one.
    this.cache.postpone(query.key, this.#transport.totalTimeoutMs);
    refreshes++;
    const answer = this.#load(query, {}, { isForCaller, holds: false }).finally(() => refreshes--);
    const reported = answer.then(
      () => this.#pause.end(),
      (error) => {
        if (isOutage(error)) this.#pause.begin();
        this.#settings.emit?.({ ...query.subject, type: 'refresh_failed', error: codeOf(error) });
      },
    );
    this.#settings.waitUntil(reported);
    return answer;
  }

  /** Runs a call under the limits of its caller. Equal calls share one, unless they are `fresh`. */
  #load(
    query: Query<Value>,
    { fresh, timeoutMs, maxRetries, signal }: CallOptions = {},
    mode: Pick<CallMode, 'isForCaller' | 'holds'> = { isForCaller: true, holds: true },
  ): Promise<Value> {
    const wait = { timeoutMs, signal };
    const start = (ended: AbortSignal) =>
      this.#start(query, ended, { force: fresh === true, maxRetries, ...mode });
    const shared = this.#settings.maxEntries > 0 && fresh !== true && canShareConnections();
    return shared ? this.#flights.share(query.key, start, wait) : this.#flights.runUnshared(start, wait);
  }

  async #start(query: Query<Value>, signal: AbortSignal, how: CallMode): Promise<Value> {
    const { cache } = this;
    const { key } = query;
    const call = cache.begin();
    try {
      const value = await query.start(signal, how);
      if (query.isKept || cache.has(key)) cache.set(key, query, value, call);
      return value;
    } catch (error) {
      if (isRefusal(error)) cache.delete(key);
      else cache.postpone(key, Math.min(this.#settings.latestMs, PAUSE_MS.shortest));
      throw error;
    }
  }
}

import { now } from '../clock.ts';
import { type CuevaultError, CuevaultTimeoutError } from '../errors.ts';
import { isRetryable } from './reply.ts';

/** The longest pause that a reply can request. */
const LONGEST_REST_MS = 300_000;
/** An outage is forgotten this long after its pause if no call has probed the service. */
const FORGET_MS = 60_000;

/** Whether an error means that the whole service cannot answer now; a 500 concerns one call only. */
export const isServiceFailure = (error: CuevaultError): boolean =>
  isRetryable(error) || error instanceof CuevaultTimeoutError;

/**
 * Remembers an outage (circuit breaker; Michael Nygard, Release It!, 2007): after a failed call nothing is sent for a
 * while, then one probe at a time, until a call succeeds.
 */
export class Breaker {
  readonly #pauseMs: number;
  #error: CuevaultError | undefined;
  #restUntil = 0;
  #probeUntil = 0;

  /** `pauseMs` is the shortest pause; 0 for none. */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** The error of the failed call during an outage, else undefined. */
  get outage(): CuevaultError | undefined {
    if (this.#error !== undefined && now() > this.#restUntil + FORGET_MS) this.#error = undefined;
    return this.#error;
  }

  /** Whether a request may be sent now, possibly as a probe. */
  get allows(): boolean {
    return this.outage === undefined || now() >= Math.max(this.#restUntil, this.#probeUntil);
  }

  /**
   * Begins a probe that takes `ms` at most; 0 ends a probe without a result. One that never reports, because its
   * runtime was stopped, blocks no later one.
   */
  startProbe(ms: number): void {
    this.#probeUntil = now() + ms;
  }

  /** A call did not fail, or failed for a reason that says nothing about the service. */
  close(): void {
    this.#error = undefined;
    this.#probeUntil = 0;
  }

  /** A call failed. Returns the milliseconds of the pause that begins now, 0 if none does. */
  open(error: CuevaultError): number {
    if (this.#pauseMs === 0) return 0;
    const asked = (error.retryAfter ?? 0) * 1000;
    const pauseMs = Math.max(this.#pauseMs, Math.min(asked, LONGEST_REST_MS));
    const at = now();
    const begins = this.#error === undefined || at >= this.#restUntil;
    this.#error = error;
    this.#restUntil = Math.max(begins ? 0 : this.#restUntil, at + pauseMs);
    this.#probeUntil = 0;
    return begins ? pauseMs : 0;
  }
}

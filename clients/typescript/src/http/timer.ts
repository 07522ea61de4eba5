import { now } from '../clock.ts';
import { CuevaultTimeoutError } from '../errors.ts';

/** The maximum of timers; a longer time would fire immediately. */
export const LONGEST_MS = 2 ** 31 - 1;
/** Between looks at the clock. */
const LOOK_MS = 250;
/** A timer that is so much late did not run: the process was frozen, or busy. */
const LATE_MS = 1_000;

type Timer = ReturnType<typeof setTimeout> & { readonly unref?: () => void };

/** Starts a timer. One that does not hold the process lets it end earlier. */
export const startTimer = (onEnd: () => void, ms: number, holds = true): Timer => {
  const timer: Timer = setTimeout(onEnd, Math.min(ms, LONGEST_MS));
  if (!holds) timer.unref?.();
  return timer;
};

/** The process was frozen while it waited: the connection may be lost, whatever the service did. */
export class Frozen extends Error {}

interface Limits {
  /** Milliseconds after which to stop waiting, with CuevaultTimeoutError. */
  readonly ms?: number | undefined;
  /** Stops waiting, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Stops waiting, with `Frozen`, if the process was frozen. */
  readonly endsFrozen?: boolean;
  /** Whether the process stays alive meanwhile. @default true */
  readonly holds?: boolean | undefined;
}

/** Calls `onEnd` after `ms` in which the process ran. Returns what stops it. */
const countDown = (ms: number, onEnd: () => void, onThaw?: () => void, holds?: boolean): (() => void) => {
  let left = ms;
  let looked = now();
  let thawed = false;
  let timer: Timer;
  const look = () => {
    const lateMs = now() - looked - LOOK_MS;
    // Replies that arrived meanwhile are read before the next look.
    if (thawed && onThaw !== undefined) return onThaw();
    thawed = lateMs > LATE_MS;
    left -= thawed ? LOOK_MS : now() - looked;
    if (left <= 0) return onEnd();
    looked = now();
    timer = startTimer(look, Math.min(left, LOOK_MS), holds);
  };
  timer = startTimer(look, Math.min(left, LOOK_MS), holds);
  return () => clearTimeout(timer);
};

/** Waits for a promise, but no longer than its limits allow. Time in which the process was frozen does not count. */
export const waitFor = async <Value>(
  promise: Promise<Value>,
  { ms, signal, endsFrozen, holds }: Limits,
): Promise<Value> => {
  if (ms === undefined && signal === undefined) return promise;
  signal?.throwIfAborted();
  let stop: (() => void) | undefined;
  let onAbort: (() => void) | undefined;
  const limit = new Promise<never>((_, reject) => {
    if (ms !== undefined) {
      const sentence = `Cuevault did not answer within ${Math.round(ms)} ms.`;
      const onEnd = () => reject(new CuevaultTimeoutError(sentence, { code: 'timeout' }));
      stop = countDown(ms, onEnd, endsFrozen ? () => reject(new Frozen()) : undefined, holds);
    }
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    stop?.();
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
};

const BASE_MS = 200;
const CAP_MS = 2_000;

/**
 * Milliseconds to pause before the attempt after the `attempt`-th (counted from 1): "full jitter", a random time
 * below a bound that doubles (Marc Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015), and at
 * least as long as the service asked for (seconds).
 */
export const backoffMs = (attempt: number, retryAfter = 0, random = Math.random): number =>
  Math.max(random() * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)), retryAfter * 1000);

const BASE_MS = 200;
const CAP_MS = 2_000;

/**
 * Milliseconds to pause before the attempt after the `attempt`-th (counted from 1): "full jitter", a random time
 * below a bound that doubles (Marc Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015), and at
 * least as long as the service asked for (seconds).
 */
export const pauseMs = (attempt: number, retryAfter = 0, random = Math.random): number =>
  Math.max(random() * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)), retryAfter * 1000);

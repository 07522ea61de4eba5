import { setTimeout as sleep } from 'node:timers/promises';
import { createBoundedCache } from '../core/bounded-cache.ts';
import { isThrottled } from './failures.ts';

/** An older row is never used: a container sees every change within this time. */
export const RECENT_MS = 1_000;
/** How long after a throttled read a container reads the row less often. */
const SPARE_MS = 10_000;
/** The age at which such a row is read again, random so that containers do not read it at the same moment. */
const REFRESH_MS = { from: 500, to: 900 } as const;
const REMEMBERED = 1_000;

/**
 * When a container may use a row that it has read itself instead of reading it again. One partition key serves 3,000
 * reads a second, so a popular row must be shared between calls; a row that is not throttled never is. Times are
 * milliseconds.
 */
export interface RecentRows<Row> {
  /** Remembers a row whose read began at `at`. */
  readonly keep: (id: string, row: Row, at: number) => void;
  /**
   * The row to use instead of a read: only if a read of it was throttled recently, and it is not due to be read again.
   */
  readonly cachedWhileThrottled: (id: string) => Row | undefined;
  /** To be called after a throttled read. Returns the row if it is recent enough to be used. */
  readonly throttled: (id: string) => Row | undefined;
  /** The clock. */
  readonly now: () => number;
}

/** Remembers rows for the lifetime of a container. `random` is from 0 to 1. */
export const createRecentRows = <Row>({ now = Date.now, random = Math.random } = {}): RecentRows<Row> => {
  const rows = createBoundedCache<{ readonly row: Row; readonly at: number; readonly refreshMs: number }>(
    REMEMBERED,
  );
  const throttledUntil = createBoundedCache<number>(REMEMBERED);
  // An age below zero means that the clock was set back.
  const youngerThan = (id: string, limit: (refreshMs: number) => number): Row | undefined => {
    const known = rows.get(id);
    if (known === undefined) return undefined;
    const age = now() - known.at;
    return age >= 0 && age < limit(known.refreshMs) ? known.row : undefined;
  };
  return {
    now,
    keep: (id, row, at) => {
      const refreshMs = REFRESH_MS.from + random() * (REFRESH_MS.to - REFRESH_MS.from);
      rows.set(id, { row, at, refreshMs });
    },
    cachedWhileThrottled: (id) =>
      now() < (throttledUntil.get(id) ?? 0) ? youngerThan(id, (refreshMs) => refreshMs) : undefined,
    throttled: (id) => {
      throttledUntil.set(id, now() + SPARE_MS);
      return youngerThan(id, () => RECENT_MS);
    },
  };
};

const ATTEMPTS = 7;

/** Pauses after attempt `n` (from 1): full jitter, doubling from 20 ms up to 320 ms; at most 1.3 s in total. */
const pauseAfter = (n: number): Promise<void> => sleep(Math.random() * Math.min(320, 10 * 2 ** n));

/**
 * Makes a call, up to seven times while DynamoDB throttles it. `onThrottled` runs before each repetition; what it
 * returns, if anything, is the result. Errors: those of the call.
 */
export const retryThrottled = async <Result>(
  call: () => Promise<Result>,
  onThrottled: () => Promise<Result | undefined> | Result | undefined = () => undefined,
): Promise<Result> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isThrottled(error)) throw error;
      const instead = await onThrottled();
      if (instead !== undefined) return instead;
      if (attempt === ATTEMPTS) throw error;
      await pauseAfter(attempt);
    }
  }
};

/**
 * Reads a row with `read`, which verifies it. A throttled read may return a row that the container has read itself at
 * most a second ago; without one, it is repeated. Errors: those of `read`.
 */
export const readThroughThrottling = async <Row>(
  recent: RecentRows<unknown>,
  id: string,
  read: () => Promise<Row | undefined>,
): Promise<Row | undefined> => {
  const cached = recent.cachedWhileThrottled(id);
  if (cached !== undefined) return cached as Row;
  const readAndKeep = async () => {
    const at = recent.now();
    const row = await read();
    if (row !== undefined) recent.keep(id, row, at);
    return row;
  };
  return retryThrottled(readAndKeep, () => recent.throttled(id) as Row | undefined);
};

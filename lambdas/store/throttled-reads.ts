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
}

export interface RecentRowsOptions {
  /** @default Date.now */
  readonly now?: () => number;
  /** @default Math.random */
  readonly random?: () => number;
}

export const createRecentRows = <Row>({
  now = Date.now,
  random = Math.random,
}: RecentRowsOptions = {}): RecentRows<Row> => {
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

/**
 * Pauses after attempt `n` (from 1) was throttled: full jitter, doubling from 20 ms up to 320 ms; at most 1.3 s in
 * total.
 */
export const afterThrottle = (n: number): Promise<void> => sleep(Math.random() * Math.min(320, 10 * 2 ** n));

/**
 * Reads a row and accepts it with `accept`, which verifies it. In functions that applications call, a throttled read may
 * return a row that the container has read itself at most a second ago; without one, it is repeated with jitter. Errors:
 * those of `accept`; `unavailable`.
 */
export const readThroughThrottling = async <Item, Entity>(
  { hot }: { readonly hot?: { readonly recent: RecentRows<unknown>; readonly now: () => number } },
  id: string,
  read: () => Promise<Item | undefined>,
  accept: (item: Item | undefined) => Promise<Entity | undefined>,
): Promise<Entity | undefined> => {
  if (hot === undefined) return accept(await read());
  const cachedWhileThrottled = hot.recent.cachedWhileThrottled(id);
  if (cachedWhileThrottled !== undefined) return cachedWhileThrottled as Entity;
  for (let attempt = 1; ; attempt++) {
    const at = hot.now();
    try {
      const entity = await accept(await read());
      if (entity !== undefined) hot.recent.keep(id, entity, at);
      return entity;
    } catch (error) {
      if (!isThrottled(error)) throw error;
      const own = hot.recent.throttled(id);
      if (own !== undefined) return own as Entity;
      if (attempt === ATTEMPTS) throw error;
      await afterThrottle(attempt);
    }
  }
};

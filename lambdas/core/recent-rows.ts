import { createBoundedMap } from './bounded-map.ts';

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
  const rows = createBoundedMap<{ readonly row: Row; readonly at: number; readonly refreshMs: number }>(
    REMEMBERED,
  );
  const throttledUntil = createBoundedMap<number>(REMEMBERED);
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

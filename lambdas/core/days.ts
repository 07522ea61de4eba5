export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** UTC month of a time, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The day (`YYYY-MM-DD`) or the month (`YYYY-MM`) in a time in ISO 8601. */
export const dayIn = (time: string): string => time.slice(0, 10);
export const monthIn = (time: string): string => time.slice(0, 7);

/** The time `days` days later, or earlier if `days` is negative. */
export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** Expiry of an item written at `at` and kept for `days` days, in seconds since the epoch. */
export const expiresAfter = (at: Date, days: number): number =>
  Math.floor(daysAfter(at, days).getTime() / 1000);

/** The later of two times in ISO 8601 and UTC. */
export const later = (a: string, b: string): string => (a < b ? b : a);

import { CuevaultError } from './errors.ts';

/** Milliseconds per day. */
export const DAY_MS = 86_400_000;

/** UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** UTC month of a time, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The time `days` days later, or earlier if `days` is negative. */
export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** The beginning of the next month (UTC). */
export const monthAfter = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

/** The day before a day. */
export const dayBefore = (day: string): string => dayOf(daysAfter(new Date(day), -1));

/** The day after a day. */
export const dayAfter = (day: string): string => dayOf(daysAfter(new Date(day), 1));

/** Days that a list covers by default. */
const DEFAULT_DAYS = 30;

/** The requested range: days, or times in the form of `toISOString`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * Completes a range of days or times (UTC): by default it ends today and begins 29 days before its last day. Days after
 * today, or before the last `keptDays` days, have no entries and are removed; the result can be empty. Errors: `invalid_request`
 * if the requested range ends before it begins.
 */
export const daysOf = (
  asked: { [End in keyof Days]?: string | undefined },
  now: Date,
  keptDays: number,
): Days => {
  const today = dayOf(now);
  const { to = today } = asked;
  const { from = dayOf(daysAfter(new Date(to.slice(0, 10)), 1 - DEFAULT_DAYS)) } = asked;
  // A day sorts before its times, `~` after them.
  if (from > `${to}~`) throw new CuevaultError('invalid_request', '"from" must not be after "to".');
  const oldest = dayOf(daysAfter(now, -keptDays));
  return { from: later(from, oldest), to: to.slice(0, 10) > today ? today : to };
};

/** The later of two times in ISO 8601 and UTC. */
export const later = (a: string, b: string): string => {
  if (a < b) return b;
  return a;
};

/** The earlier of two ISO 8601 times or days. */
export const earlier = (a: string, b: string): string => {
  if (a < b) return a;
  return b;
};

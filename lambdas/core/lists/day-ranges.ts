import { dayIn, dayOf, daysAfter, later, monthOf } from '../days.ts';
import { assertValid } from '../errors.ts';

/** Days that a list covers by default. */
const DEFAULT_DAYS = 30;

/** The requested range: days, or times in the form of `toISOString`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * Completes a range of days or times (UTC): by default it ends today and begins 29 days before its last day. Days after
 * today, or before the last `keptDays` days, have no entries and are removed; the result can be empty.
 */
export const daysOf = (
  asked: { [End in keyof Days]?: string | undefined },
  now: Date,
  keptDays: number,
): Days => {
  const today = dayOf(now);
  const { to = today } = asked;
  const { from = dayOf(daysAfter(new Date(dayIn(to)), 1 - DEFAULT_DAYS)) } = asked;
  // A day sorts before its times, `~` after them.
  assertValid(from <= `${to}~`, '"from" must not be after "to".');
  const oldest = dayOf(daysAfter(now, -keptDays));
  return { from: later(from, oldest), to: dayIn(to) > today ? today : to };
};

/** The month before a month (`YYYY-MM`). */
export const monthBefore = (month: string): string => monthOf(daysAfter(new Date(month), -1));

/** The last `days` days (UTC, `YYYY-MM-DD`) up to `now`, oldest first. */
export const lastDays = (days: number, now: Date): string[] =>
  Array.from({ length: days }, (_, i) => dayOf(daysAfter(now, 1 + i - days)));

/** The beginning of the next month (UTC). */
export const monthAfter = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));

export const dayBefore = (day: string): string => dayOf(daysAfter(new Date(day), -1));

/** Whether something was there all the time since a time (ISO 8601), and not used: what is newer had no time for it. */
export const isUnused = (createdAt: string, lastUse: string | undefined, since: string): boolean =>
  createdAt < since && (lastUse ?? '') < since;

import { CuevaultError } from './errors.ts';
import { earlier, later } from './lists.ts';

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** UTC day of a time, `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** UTC month of a time, `YYYY-MM`. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The time so many days later, or earlier where `days` is negative. */
export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** The day before a day. */
export const dayBefore = (day: string): string => dayOf(daysAfter(new Date(day), -1));

/** The day after a day. */
export const dayAfter = (day: string): string => dayOf(daysAfter(new Date(day), 1));

/** Without a first day, a list goes back so many days. */
const DEFAULT_DAYS = 30;

/** Days that were asked for, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * Completes a range of days (UTC): it ends today, and begins 29 days before its end. What it asks for beyond today, or
 * before the last `keptDays` days, holds no entries and is left out; a range that ends before it begins is empty.
 * Errors: `invalid_request` where it was asked for like that.
 */
export const daysOf = (
  asked: { [End in keyof Days]?: string | undefined },
  now: Date,
  keptDays: number,
): Days => {
  const today = dayOf(now);
  const { to = today } = asked;
  const { from = dayOf(daysAfter(new Date(to), 1 - DEFAULT_DAYS)) } = asked;
  if (from > to) throw new CuevaultError('invalid_request', '"from" must not be after "to".');
  const oldest = dayOf(daysAfter(now, -keptDays));
  return { from: later(from, oldest), to: earlier(to, today) };
};

import { DAY_MS, dayOf, daysAfter } from '../core/days.ts';
import { inParallel } from '../core/parallel.ts';

/** Counts derived from the table's stream can lag by its retention: 24 hours. */
const SETTLING_MS = DAY_MS;
const MAX_BYTES = 64 * 1024 * 1024;
const WIDTH = 16;

/** The last `days` days (UTC, `YYYY-MM-DD`) up to `now`, oldest first. */
export const lastDays = (days: number, now: Date): string[] =>
  Array.from({ length: days }, (_, i) => dayOf(daysAfter(now, 1 + i - days)));

/** Reads each of the last `days` days up to `now` that does not end before a time (ISO 8601), oldest first. */
export const readDaysSince = <Day>(
  since: string,
  days: number,
  now: Date,
  read: (day: string) => Promise<Day>,
): Promise<Day[]> =>
  inParallel(
    lastDays(days, now).filter((day) => day >= since.slice(0, 10)),
    read,
    WIDTH,
  );

/**
 * Reads the last days up to `now`, oldest first. Past days do not change: each is read once in the lifetime of a
 * container and cached, up to `maxBytes` in total; the oldest days are evicted first.
 */
export const createDailyCache = <Day>(
  read: (day: string) => Promise<Day>,
  bytesOf: (value: Day) => number,
  maxBytes = MAX_BYTES,
): ((days: number, now: Date) => Promise<Day[]>) => {
  const known = new Map<string, { readonly value: Promise<Day>; bytes: number }>();

  const trim = (): void => {
    let total = known.values().reduce((sum, { bytes }) => sum + bytes, 0);
    for (const oldest of [...known.keys()].sort()) {
      if (total <= maxBytes) return;
      total -= known.get(oldest)?.bytes ?? 0;
      known.delete(oldest);
    }
  };

  const readAndRemember = async (day: string): Promise<Day> => {
    const entry = { value: read(day), bytes: 0 };
    known.set(day, entry);
    try {
      const value = await entry.value;
      entry.bytes = bytesOf(value);
      trim();
      return value;
    } catch (error) {
      known.delete(day);
      throw error;
    }
  };

  const isOver = (day: string, now: Date): boolean => now.getTime() - Date.parse(day) > DAY_MS + SETTLING_MS;
  return (days, now) =>
    inParallel(
      lastDays(days, now),
      (day) => known.get(day)?.value ?? (isOver(day, now) ? readAndRemember(day) : read(day)),
      WIDTH,
    );
};

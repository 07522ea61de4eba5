/** A count with its noun, such as `1 API key` or `1,204 fetches`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${inDigits(count)} ${count === 1 ? one : many}`;

/** The same; empty for a count of zero. */
export const countedIfAny = (count: number, one: string, many?: string): string =>
  count === 0 ? '' : counted(count, one, many);

/** The parts of a text that there are. */
export const joined = (parts: readonly unknown[], by: string): string => parts.filter(Boolean).join(by);

/** How often, such as `once` or `12 times`. */
export const times = (count: number): string => (count === 1 ? 'once' : counted(count, 'time'));

/** The first of `total` names, ten unless told otherwise, and how many more there are. */
export const listed = (names: readonly string[], total = names.length, most = 10): string => {
  const shown = names.slice(0, most);
  const more = total - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${inDigits(more)} more` : '');
};

// Browsers on POSIX systems name some that are no tag of a language, such as `en-US@posix`.
const TAG = /^en(?:-[A-Za-z0-9]{2,8})*(?=[@.]|$)/;

/**
 * The locale of dates and numbers: the browser's if it is English, the language of all other texts, so that no sentence
 * mixes two languages.
 */
export const localeOf = (language: string): string => TAG.exec(language)?.[0] ?? 'en';

export const LOCALE = localeOf(navigator.language);

/** A number with grouped digits. */
export const inDigits = (value: number): string => value.toLocaleString(LOCALE);

export const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });

export const DAY_MS = 86_400_000;

/** How many days ago a time in ISO 8601 was. */
export const daysSince = (at: string): number => (Date.now() - Date.parse(at)) / DAY_MS;

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

const midnight = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** How long ago it was, or will be: in days of the calendar from 24 hours on, and after a week the date. */
export const relative = (time: Date, now: Date): string => {
  const minutes = (time.getTime() - now.getTime()) / MINUTE;
  const distance = Math.abs(minutes);
  if (distance > WEEK_MINUTES) return DATE.format(time);
  if (distance >= DAY_MINUTES)
    return RELATIVE.format(Math.round((midnight(time) - midnight(now)) / MINUTE / DAY_MINUTES), 'day');
  if (distance >= 60) return RELATIVE.format(Math.trunc(minutes / 60), 'hour');
  return distance < 1 ? 'just now' : RELATIVE.format(Math.trunc(minutes), 'minute');
};

/** The day of a time in the local time zone, `YYYY-MM-DD`. */
export const localDay = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

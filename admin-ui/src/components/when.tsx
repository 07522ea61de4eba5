import { Breakable } from './breakable.tsx';
import { LOCALE } from './locale.ts';
import { Small } from './small.tsx';

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });

const MINUTE = 60_000;
const STEPS = [
  ['day', 1440],
  ['hour', 60],
  ['minute', 1],
] as const;

const WEEK_MINUTES = 7 * 1440;

const relative = (time: Date, now: number): string => {
  const minutes = (time.getTime() - now) / MINUTE;
  if (Math.abs(minutes) > WEEK_MINUTES) return DATE.format(time);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(minutes) >= length) ?? (['minute', 1] as const);
  return Math.abs(minutes) < 1 ? 'just now' : RELATIVE.format(Math.trunc(minutes / size), unit);
};

/** The date of a time in ISO 8601, in the local time zone. */
export const dateOf = (at: string): string => DATE.format(new Date(at));

/** The day of a time in the local time zone, `YYYY-MM-DD`. */
export const localDay = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');

export interface WhenProps {
  /** ISO 8601. */
  readonly at: string;
  /** Says how long ago it was, or the date after a week. */
  readonly short?: boolean;
  /** Shows the seconds. */
  readonly seconds?: boolean;
  /** Omits the time of day. */
  readonly dateOnly?: boolean;
}

/** A point in time in the local time zone, with full details and UTC on hover. */
export const When = ({ at, short = false, seconds = false, dateOnly = false }: WhenProps) => {
  const time = new Date(at);
  const utc = `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const full = (seconds ? TO_THE_SECOND : DATE_TIME).format(time);
  const shown = short ? relative(time, Date.now()) : dateOnly ? DATE.format(time) : full;
  return (
    <time dateTime={at} title={shown === full ? utc : `${full} — ${utc}`} style={{ whiteSpace: 'nowrap' }}>
      {shown}
    </time>
  );
};

const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day, `YYYY-MM-DD`. */
export const DayText = ({ day }: { day: string }) => (
  <time dateTime={day} style={{ whiteSpace: 'nowrap' }}>
    {DAY.format(new Date(day))}
  </time>
);

/** When something was last changed, and by whom, as the cell of a list. */
export const ChangedCell = ({ changedAt, changedBy }: { changedAt: string; changedBy: string }) => (
  <>
    <When at={changedAt} short />
    <Small className="cv-break">
      <Breakable text={changedBy} />
    </Small>
  </>
);

const NEW_MS = 30 * 86_400_000;

/** Whether something is less than 30 days old, so that "not in 30 days" would be misleading. */
export const isNew = (createdAt: string): boolean => Date.now() - Date.parse(createdAt) < NEW_MS;

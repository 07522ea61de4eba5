import { Breakable } from './breakable.tsx';
import { DATE, DAY_MS, LOCALE, relative } from './locale.ts';
import { Small } from './small.tsx';

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
/** The date of a time in ISO 8601, in the local time zone. */
export const dateOf = (at: string): string => DATE.format(new Date(at));

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
  const shown = short ? relative(time, new Date()) : dateOnly ? DATE.format(time) : full;
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

const NEW_MS = 30 * DAY_MS;

/** Whether something is less than 30 days old, so that "not in 30 days" would be misleading. */
export const isNew = (createdAt: string): boolean => Date.now() - Date.parse(createdAt) < NEW_MS;

import { Button, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { DATE, DAY_MS, LOCALE, relative } from './locale.ts';

/** A name that may wrap after `/`, `-`, `_`, `.` and `@`. */
export const Breakable = ({ text }: { text: string }) => {
  const parts = text.split(/(?<=[/\-_.@])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity other than its index
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
};

const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const TO_THE_SECOND = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
/** The date of a time in ISO 8601, in the local time zone. */
export const dateOf = (at: string): string => DATE.format(new Date(at));

interface WhenProps {
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

/** Small secondary text, such as the second line of a cell. */
export const Small = Text.withProps({ size: 'xs', c: 'dimmed' });

/** A button in a row or in the head of a panel. */
export const RowButton = Button.withProps({ size: 'compact-xs', variant: 'default' });

/** An item of a list with lines between the items. */
export const Row = Group.withProps({ gap: '0.75rem', py: '0.5rem', fz: 'sm', wrap: 'nowrap' });

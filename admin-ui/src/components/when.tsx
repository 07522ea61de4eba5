const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });

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

/** A point in time in local terms, with UTC on hover; `short` says how long ago it was. */
export const When = ({ at, short = false }: { at: string; short?: boolean }) => {
  const time = new Date(at);
  const utc = `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time
      dateTime={at}
      title={short ? `${DATE_TIME.format(time)} — ${utc}` : utc}
      style={{ whiteSpace: 'nowrap' }}
    >
      {short ? relative(time, Date.now()) : DATE_TIME.format(time)}
    </time>
  );
};

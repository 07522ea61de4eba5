/** The periods that the log can be limited to; `days` is any range of days. */
export const PERIODS = [
  { value: 'hour', label: 'Last hour' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: 'days', label: 'Choose days…' },
] as const;

export type Period = (typeof PERIODS)[number]['value'];

export interface AuditDays {
  readonly period?: Period | undefined;
  /** Days in the operator's time zone, both included, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The period that a filter shows: chosen days are one, and the last 30 days are the default. */
export const periodOf = ({ period = '30', from, to }: AuditDays): Period =>
  from !== undefined || to !== undefined ? 'days' : period;

// A day is not always 24 hours long, so the next day is computed by the calendar.
const startOf = (now: Date, days: number): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days).toISOString();
const msBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString();
// To the minute, so that a list is not read again each time it is drawn.
const hourBefore = (now: Date): string =>
  new Date(Math.floor(now.getTime() / 60_000 - 60) * 60_000).toISOString();
const atMidnight = (day: string): Date => new Date(`${day}T00:00:00`);

/**
 * The first and last time of the chosen days, in UTC. Days begin and end in the operator's time zone. An end that is
 * not chosen is undefined.
 */
export const timesOf = (days: AuditDays, now: Date): Omit<AuditDays, 'period'> => {
  const period = periodOf(days);
  if (period === 'hour') return { from: hourBefore(now) };
  if (period === 'today') return { from: startOf(now, 0) };
  if (period === 'yesterday') return { from: startOf(now, -1), to: msBefore(startOf(now, 0)) };
  if (period !== 'days') return { from: startOf(now, 1 - Number(period)) };
  return {
    from: days.from && startOf(atMidnight(days.from), 0),
    to: days.to && msBefore(startOf(atMidnight(days.to), 1)),
  };
};

import type { KeyRow } from './key-queries.ts';

const DAY_MS = 86_400_000;

export const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day…' },
];

/**
 * The time at which a key expires, in UTC: a number of days from now, or the end of a day (`YYYY-MM-DD`) in the
 * operator's time zone. Undefined for never, or if no day is chosen yet.
 */
export const expiresAt = (choice: string, day: string, now: Date): string | undefined => {
  if (choice === 'never') return undefined;
  if (choice !== 'day') return new Date(now.getTime() + Number(choice) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
};

/** The choice for the successor of a key: the closest lifetime that is not shorter than the key's own. */
export const lifetimeOf = ({ createdAt, expiresAt: end }: KeyRow): string => {
  if (end === undefined) return 'never';
  const days = Math.floor((Date.parse(end) - Date.parse(createdAt)) / DAY_MS);
  return ['30', '90'].find((choice) => days <= Number(choice)) ?? '365';
};

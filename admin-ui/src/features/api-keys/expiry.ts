import { DAY_MS, localDay } from '../../components/locale.ts';

export interface ExpiryChoice {
  readonly expiry: string;
  /** `YYYY-MM-DD`, for the choice `day`. */
  readonly day: string;
}

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day…' },
];

/** The options for a key that expires before a time; undefined for one that need not. */
export const offeredBefore = (until: string | undefined, now: Date) =>
  EXPIRIES.filter(({ value }) => {
    if (until === undefined || value === 'day') return true;
    const end = expiresAt({ expiry: value, day: '' }, now);
    return end !== undefined && end < until;
  });

/**
 * The time at which a key expires, in UTC: a number of days from now, or the end of a day (`YYYY-MM-DD`) in the
 * operator's time zone. Undefined for never, or if no day is chosen yet.
 */
export const expiresAt = ({ expiry, day }: ExpiryChoice, now: Date): string | undefined => {
  if (expiry === 'never') return undefined;
  if (expiry !== 'day') return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString();
  const end = new Date(`${day}T23:59:59`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
};

/** The choice for the successor of a key: the closest lifetime that is not shorter than the key's own. */
export const lifetimeOf = (
  { createdAt, expiresAt: end }: { readonly createdAt: string; readonly expiresAt?: string | undefined },
  now: Date,
): ExpiryChoice => {
  if (end === undefined) return { expiry: 'never', day: '' };
  const ms = Date.parse(end) - Date.parse(createdAt);
  const expiry = ['30', '90', '365'].find((choice) => ms < (Number(choice) + 1) * DAY_MS) ?? 'day';
  return { expiry, day: expiry === 'day' ? localDay(new Date(now.getTime() + ms)) : '' };
};

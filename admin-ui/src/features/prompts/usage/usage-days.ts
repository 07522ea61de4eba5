import { compareVersions } from '../../../../../contract/versions.ts';

const DAY_MS = 86_400_000;
/** Versions beyond these are drawn together. */
const MOST = 6;
export const OTHERS = 'others';

/** Fetches by day (UTC, `YYYY-MM-DD`) and version, from one day to another. */
export interface Usage {
  readonly from: string;
  readonly to: string;
  readonly counts: readonly { readonly day: string; readonly version: string; readonly count: number }[];
}

/** The days from `from` to `to`, both included, as `YYYY-MM-DD` in UTC. */
export const daysBetween = (from: string, to: string): string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
};

/** The versions that get a colour of their own: those most fetched, the highest first; then `others` if there are more. */
export const seriesOf = ({ counts }: Pick<Usage, 'counts'>): string[] => {
  const totals = new Map<string, number>();
  for (const { version, count } of counts) totals.set(version, (totals.get(version) ?? 0) + count);
  const byUse = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const own = byUse.slice(0, MOST).sort((a, b) => compareVersions(b, a));
  return byUse.length > MOST ? [...own, OTHERS] : own;
};

export interface UsageDay {
  readonly day: string;
  /** Fetches by series, in the order of `seriesOf`. */
  readonly counts: readonly number[];
}

/** Fetches of each series on each day. */
export const usageDays = (usage: Usage, series: readonly string[]): UsageDay[] => {
  const sums = new Map<string, number>();
  for (const { day, version, count } of usage.counts) {
    const key = `${day} ${series.includes(version) ? version : OTHERS}`;
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return daysBetween(usage.from, usage.to).map((day) => ({
    day,
    counts: series.map((name) => sums.get(`${day} ${name}`) ?? 0),
  }));
};

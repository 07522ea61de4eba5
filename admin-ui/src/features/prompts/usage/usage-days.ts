import { compareVersions } from '../../../../../contract/versions.ts';

const DAY_MS = 86_400_000;
/** Further versions are drawn as one series. */
const MOST = 8;
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

/**
 * The versions with their own color, highest first: the fetched versions of `kept`, then the most fetched of the rest;
 * `others` stands for the remaining ones.
 * @param kept the latest version and those that a label points to, most important first
 */
export const seriesOf = ({ counts }: Pick<Usage, 'counts'>, kept: readonly string[] = []): string[] => {
  const totals = new Map<string, number>();
  for (const { version, count } of counts) totals.set(version, (totals.get(version) ?? 0) + count);
  const byUse = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const ranked = [...new Set([...kept.filter((version) => totals.has(version)), ...byUse])];
  const own = ranked.slice(0, MOST).sort((a, b) => compareVersions(b, a));
  return ranked.length > MOST ? [...own, OTHERS] : own;
};

interface UsageByKey {
  readonly counts: readonly { readonly day: string; readonly version: string; readonly apiKeyId: string }[];
  readonly failures: readonly { readonly day: string; readonly apiKeyId: string }[];
}

/** The part of the usage in a range of days, optionally by one API key and of one version. */
export const usageWithin = <Found extends UsageByKey>(
  usage: Found,
  { from, to, key, version }: { from: string; to: string; key?: string; version?: string },
): Found => ({
  ...usage,
  from,
  to,
  counts: usage.counts.filter(
    (count) =>
      count.day >= from &&
      count.day <= to &&
      (key === undefined || count.apiKeyId === key) &&
      (version === undefined || count.version === version),
  ),
  failures: usage.failures.filter(
    ({ day, apiKeyId }) =>
      day >= from && day <= to && version === undefined && (key === undefined || apiKeyId === key),
  ),
});

export interface KeyUsage {
  readonly apiKeyId: string;
  readonly count: number;
  /** The versions that it fetched, highest first. */
  readonly versions: readonly string[];
  /** The last day with a fetch. */
  readonly lastDay: string;
}

/** The fetches by API key, most first. */
export const usageByKey = (counts: readonly (UsageByKey & Usage)['counts'][number][]): KeyUsage[] =>
  [...Map.groupBy(counts, ({ apiKeyId }) => apiKeyId)]
    .map(([apiKeyId, rows]) => ({
      apiKeyId,
      count: rows.reduce((sum, { count }) => sum + count, 0),
      versions: [...new Set(rows.map(({ version }) => version))].sort((a, b) => compareVersions(b, a)),
      lastDay:
        rows
          .map(({ day }) => day)
          .toSorted()
          .at(-1) ?? '',
    }))
    .sort((a, b) => b.count - a.count);

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

import type { ResultOf } from '../../../../../contract/documentation.ts';
import { compareVersions } from '../../../../../contract/versions.ts';
import { DAY_MS } from '../../../components/locale.ts';

type Usage = ResultOf<'usage-get'>;

/** Further versions are drawn as one series. */
const MOST_SERIES = 8;
export const OTHERS = 'others';

/** Calls on a day (UTC, `YYYY-MM-DD`) that belong to a series. */
export interface Counted {
  readonly day: string;
  readonly name: string;
  readonly count: number;
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
 * The series with their own color: those of `kept` that have calls, then those with most calls; `others` stands for the
 * remaining ones.
 * @param kept most important first
 */
export const seriesOf = (counts: readonly Counted[], kept: readonly string[] = []): string[] => {
  const totals = new Map<string, number>();
  for (const { name, count } of counts) totals.set(name, (totals.get(name) ?? 0) + count);
  const byUse = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const ranked = [...new Set([...kept.filter((name) => totals.has(name)), ...byUse])];
  return ranked.length > MOST_SERIES ? [...ranked.slice(0, MOST_SERIES), OTHERS] : ranked;
};

/** Calls of each series on each day, in the order of `series`. */
export const usageDays = (
  { from, to }: Pick<Usage, 'from' | 'to'>,
  counts: readonly Counted[],
  series: readonly string[],
): { readonly day: string; readonly counts: readonly number[] }[] => {
  const sums = new Map<string, number>();
  for (const { day, name, count } of counts) {
    const key = `${day} ${series.includes(name) ? name : OTHERS}`;
    sums.set(key, (sums.get(key) ?? 0) + count);
  }
  return daysBetween(from, to).map((day) => ({
    day,
    counts: series.map((name) => sums.get(`${day} ${name}`) ?? 0),
  }));
};

/** The part of the usage by one API key and of one version, if they are given. */
export const usageOf = (
  usage: Usage,
  { key, version }: Readonly<Partial<Record<'key' | 'version', string | undefined>>>,
): Usage => {
  const isOf = (one: { readonly apiKeyId: string; readonly version?: string | undefined }) =>
    (key === undefined || one.apiKeyId === key) && (version === undefined || one.version === version);
  return { ...usage, counts: usage.counts.filter(isOf), failures: usage.failures.filter(isOf) };
};

const sumOf = (rows: readonly { readonly count: number }[]): number =>
  rows.reduce((sum, { count }) => sum + count, 0);

/** Failing calls that were served, with gaps, and those that were not. */
const failedOf = (failures: Usage['failures']) => ({
  gaps: sumOf(failures.filter(({ isServed }) => isServed)),
  failed: sumOf(failures.filter(({ isServed }) => !isServed)),
});

const SERVED = 'served';
const GAPS = 'served with gaps';
const FAILED = 'failed';
/** What can come of a call. */
export const RESULTS: readonly string[] = [SERVED, GAPS, FAILED];

/** All calls in three parts, whose sum they are. */
export const resultsOf = ({ counts, failures }: Pick<Usage, 'counts' | 'failures'>): Counted[] => [
  ...counts.map(({ day, count }) => ({ day, name: SERVED, count })),
  ...failures.flatMap(({ day, isServed, count }): Counted[] =>
    isServed
      ? [
          { day, name: SERVED, count: -count },
          { day, name: GAPS, count },
        ]
      : [{ day, name: FAILED, count }],
  ),
];

/** The calls by API key, most first. */
export const usageByKey = ({ counts, failures, keys }: Pick<Usage, 'counts' | 'failures' | 'keys'>) =>
  keys
    .map(({ keyId, name }) => {
      const own = counts.filter(({ apiKeyId }) => apiKeyId === keyId);
      return {
        keyId,
        name,
        fetches: sumOf(own),
        ...failedOf(failures.filter(({ apiKeyId }) => apiKeyId === keyId)),
        /** Those that it fetched, highest first. */
        versions: [...new Set(own.map(({ version }) => version))].sort((a, b) => compareVersions(b, a)),
        /** The last fetch; undefined if there is none. */
        lastAt: own
          .map(({ lastAt }) => lastAt)
          .sort()
          .at(-1),
      };
    })
    .filter(({ fetches, failed }) => fetches + failed > 0)
    .sort((a, b) => b.fetches + b.failed - (a.fetches + a.failed));

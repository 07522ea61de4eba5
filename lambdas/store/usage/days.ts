import { LIMITS } from '../../../contract/limits.ts';
import { PARTITIONS } from '../../../contract/table.ts';
import { DAY_MS, dayOf, later } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import { inPartition, inRange, queryItems, readItems, unsignedKind } from '../queries.ts';
import type { Item, Key, Table } from '../table.ts';

// A job computes these rows from the counters again and again (`day-rows.ts`). They are a few minutes late.

/** How often something was fetched on a day, and when last (ISO 8601 in UTC). */
export interface Fetched {
  readonly count: number;
  readonly lastAt: string;
}

/** How often the same set of secrets was returned to an API key on a day, and when last. */
export interface SecretReads extends Fetched {
  readonly apiKeyId: string;
  readonly digest: string;
  /** The lowest and the highest revision of the vault that was read. */
  readonly revisions: readonly [lowest: number, highest: number];
}

/** The same as `Fetched` for one version. */
export interface VersionFetched extends Fetched {
  readonly version: string;
}

/** How often all were fetched. */
export const countOf = (fetched: readonly Fetched[]): number =>
  fetched.reduce((sum, { count }) => sum + count, 0);

/** The first prompts by what their versions weigh. */
export const topBy = <Version extends Fetched>(
  prompts: ReadonlyMap<string, readonly Version[]>,
  weightOf: (versions: readonly Version[]) => number,
  most: number,
) => [...prompts].sort(([, a], [, b]) => weightOf(b) - weightOf(a)).slice(0, most);

/** The sum of counters, by id. */
export const summed = <Part extends Fetched>(
  parts: Iterable<Part>,
  idOf: (part: Part) => string,
): Map<string, Fetched> => {
  const sums = new Map<string, Fetched>();
  for (const part of parts) {
    const sum = sums.get(idOf(part)) ?? { count: 0, lastAt: '' };
    sums.set(idOf(part), { count: sum.count + part.count, lastAt: later(sum.lastAt, part.lastAt) });
  }
  return sums;
};

/** The sum of the fetches of each version. */
export const summedVersions = (parts: Iterable<VersionFetched>): VersionFetched[] =>
  [...summed(parts, ({ version }) => version)].map(([version, fetched]) => ({ version, ...fetched }));

/** Use of one API key on a day. */
export interface KeyDay {
  readonly fetches: number;
  readonly reads: number;
}

/** The use of prompts and secrets on a day (UTC, `YYYY-MM-DD`). */
export interface UsageDay extends KeyDay {
  readonly day: string;
  /** By id of the API key. */
  readonly apiKeys: ReadonlyMap<string, KeyDay>;
  /**
   * The versions of each of the most fetched prompts, by its id. A deleted prompt and a later one of the same name share
   * an id; `reservedUpTo` of the later one tells their versions apart.
   */
  readonly top: ReadonlyMap<string, readonly VersionFetched[]>;
}

/** How much of a day a row includes. */
export interface Computed {
  /** When its computation began, ISO 8601 in UTC. */
  readonly asOf: string;
  /** The last use of all API keys at that time. */
  readonly latestUse: string;
}

const COMPUTED = unsignedKind<Computed>();

export const dayKey = (day: string): Key => ({ pk: PARTITIONS.usageDays, sk: day });

/** Which secrets were read on a day: one row for each 300 KB of them. Sorted before the rows of days, see `readUse`. */
export const readsKey = (day: string, part: number): Key => ({
  pk: PARTITIONS.usageDays,
  sk: `#${day}#${part}`,
});

/** The content of a day's row: as JSON text, which takes half the units of a map. */
export const dayFields = ({ day: _, apiKeys, top, ...day }: UsageDay): Item => ({
  ...day,
  apiKeys: JSON.stringify([...apiKeys].map(([id, { fetches, reads }]) => [id, fetches, reads])),
  top: JSON.stringify(
    [...top].map(([id, versions]) => [id, versions.map(({ version, count }) => [version, count])]),
  ),
});

type Pairs<Rest extends readonly unknown[]> = readonly (readonly [id: string, ...Rest])[];

const fromItem = ({ sk, fetches = 0, reads = 0, apiKeys = '[]', top = '[]' }: Item): UsageDay => {
  const keys = JSON.parse(String(apiKeys)) as Pairs<[fetches: number, reads: number]>;
  const prompts = JSON.parse(String(top)) as Pairs<[versions: Pairs<[count: number]>]>;
  return {
    day: String(sk),
    fetches: Number(fetches),
    reads: Number(reads),
    apiKeys: new Map(keys.map(([id, ofKey, ofSecrets]) => [id, { fetches: ofKey, reads: ofSecrets }])),
    top: new Map(
      prompts.map(([id, versions]) => [
        id,
        versions.map(([version, count]) => ({ version, count, lastAt: String(sk) })),
      ]),
    ),
  };
};

const rowsOf = (table: Table, from: string, to: string) =>
  Array.fromAsync(queryItems(table, { ...inRange(PARTITIONS.usageDays, from, to), ConsistentRead: false }));

const daysIn = (items: readonly Item[], asked: readonly string[]): UsageDay[] => {
  const found = new Map(items.map((item) => [item.sk, item]));
  return asked.map((sk) => fromItem(found.get(sk) ?? { sk }));
};

/** The last `days` days up to `now`, oldest first. */
export const readUsageDays = async (table: Table, days: number, now: Date): Promise<UsageDay[]> => {
  const asked = lastDays(days, now);
  return daysIn(await rowsOf(table, asked[0] ?? '', dayOf(now)), asked);
};

/** How much the rows of days include, from one to another, by day. */
export const readComputed = async (table: Table, from: string, to: string) =>
  new Map((await rowsOf(table, from, to)).map((row) => [String(row.sk), COMPUTED.fromItem(row)]));

/** The reads of one set of secrets on a day, without the day in their times. */
type ReadsOfDigest = readonly (readonly [
  ...[apiKeyId: string, count: number, time: string],
  revisions: SecretReads['revisions'],
])[];

/** The content of rows of reads: digests are long, so each is there once. */
export const readsText = (reads: readonly SecretReads[]): string =>
  JSON.stringify(
    [...Map.groupBy(reads, ({ digest }) => digest)].map(([digest, own]) => [
      digest,
      own.map(({ apiKeyId, count, lastAt, revisions }) => [apiKeyId, count, lastAt.slice(10), revisions]),
    ]),
  );

const readsIn = (items: readonly Item[]): SecretReads[] =>
  items
    .filter(({ digests }) => digests !== undefined)
    .flatMap(({ sk, digests }) => {
      const [, day] = String(sk).split('#');
      return (JSON.parse(String(digests)) as Pairs<[ReadsOfDigest]>).flatMap(([digest, own]) =>
        own.map(([apiKeyId, count, time, revisions]) => ({
          apiKeyId,
          digest,
          count,
          lastAt: `${day}${time}`,
          revisions,
        })),
      );
    });

/** The reads of secrets on the last `days` days up to `now`. */
export const readSecretReads = async (table: Table, days: number, now: Date): Promise<SecretReads[]> => {
  const [from = ''] = lastDays(days, now);
  return readsIn(await rowsOf(table, readsKey(from, 0).sk, `#${dayOf(now)}~`));
};

/** Both of the last `days` days up to `now`, in one call: rows of days are kept for about as long as screens show them. */
export const readUse = async (table: Table, days: number, now: Date) => {
  const asked = lastDays(days, now);
  const items = await rowsOf(table, readsKey(asked[0] ?? '', 0).sk, dayOf(now));
  return { days: daysIn(items, asked), reads: readsIn(items) };
};

/** The fetches of the versions of each of the most fetched prompts on these days, by prompt id. */
export const topOfDays = (days: readonly UsageDay[]): ReadonlyMap<string, readonly VersionFetched[]> => {
  const parts = days.flatMap(({ top }) => [...top]);
  return new Map(
    [...Map.groupBy(parts, ([id]) => id)].map(([id, own]) => [
      id,
      summedVersions(own.flatMap(([, versions]) => versions)),
    ]),
  );
};

/** The days of a month take turns in the attributes of a prompt's row, so it never grows. */
const SLOTS = 31;
export const slotOf = (day: string): string => `s${(Date.parse(day) / DAY_MS) % SLOTS}`;

export const recentKey = (promptId: string): Key => ({ pk: PARTITIONS.recentFetches, sk: promptId });

/** What a prompt's row says about a day: so short that a write of thirty of them takes one unit. */
type RecentDay = readonly (readonly [version: string, count: number, lastAt: number])[];

export const recentDay = (versions: readonly VersionFetched[]): RecentDay =>
  versions.map(({ version, count, lastAt }) => [version, count, Date.parse(lastAt)]);

const onDay = (item: Item, day: string): VersionFetched[] =>
  ((item[slotOf(day)] ?? []) as RecentDay)
    .map(([version, count, at]) => ({ version, count, lastAt: new Date(at).toISOString() }))
    .filter(({ lastAt }) => lastAt.startsWith(day));

/** The fetches of these prompts, or of all, on each of the days shown up to `now`, oldest first, by prompt id. */
export const readRecent = async (table: Table, promptIds: readonly string[] | 'all', now: Date) => {
  const items =
    promptIds === 'all'
      ? await Array.fromAsync(
          queryItems(table, { ...inPartition(PARTITIONS.recentFetches), ConsistentRead: false }),
        )
      : await readItems(table, promptIds.map(recentKey));
  const days = lastDays(LIMITS.shownDays, now);
  return new Map(items.map((item) => [String(item.sk), days.map((day) => onDay(item, day))]));
};

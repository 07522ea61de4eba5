import { DAY_MS, dayIn, dayOf, expiresAfter, HOUR_MS } from '../../core/days.ts';
import { lastDays } from '../../core/lists/day-ranges.ts';
import { inParallel } from '../../core/parallel.ts';
import { readLastUses } from '../api-keys/uses.ts';
import { readItems } from '../queries.ts';
import { putItem, type Table } from '../table.ts';
import { updateItem } from '../updates.ts';
import { countersOfKey } from './counters.ts';
import {
  type Computed,
  countOf,
  dayFields,
  dayKey,
  readComputed,
  readsKey,
  readsText,
  recentDay,
  recentKey,
  type SecretReads,
  slotOf,
  summedVersions,
  topBy,
  type UsageDay,
  type VersionFetched,
} from './days.ts';
import { secretReadsOf } from './secret-reads.ts';

/** Days that views show, and one more, so that none is missing at midnight. */
const COMPUTED_DAYS = 31;
/** Counts derived from the table's stream can lag by its retention: 24 hours. */
const SETTLING_MS = DAY_MS;
/** Days that are counted together: as many as memory holds of 100,000 prompts. */
const DAYS_AT_ONCE = 7;
/** Most fetched prompts in the row of a day. */
const TOP_PROMPTS = 100;
/** Versions of one prompt on a day that are told apart; a prompt rarely has more than two. */
const MOST_VERSIONS = 20;
/** Rows of prompts that are read at once. */
const ROWS_AT_ONCE = 1_000;
/** Reads in one row: 300 KB of them. */
const ROW_READS = 3_000;

/** The most fetched versions; the last one includes all others. */
const fewVersions = (all: readonly VersionFetched[]): readonly VersionFetched[] => {
  const sorted = all.toSorted((a, b) => b.count - a.count);
  const last = sorted[MOST_VERSIONS - 1];
  if (last === undefined) return sorted;
  return [
    ...sorted.slice(0, MOST_VERSIONS - 1),
    { ...last, count: countOf(sorted.slice(MOST_VERSIONS - 1)) },
  ];
};

const topOf = (prompts: ReadonlyMap<string, readonly VersionFetched[]>): UsageDay['top'] =>
  new Map(topBy(prompts, countOf, TOP_PROMPTS));

/** What the counters of a day say. */
interface Counted {
  readonly prompts: Map<string, VersionFetched[]>;
  readonly keys: { readonly keyId: string; readonly fetches: number; readonly reads: SecretReads[] }[];
}

/** The counters of days, by day: each key is read once for all of them. */
const countDays = async (table: Table, days: readonly string[], keyIds: readonly string[]) => {
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const counted = new Map(days.map((day): [string, Counted] => [day, { prompts: new Map(), keys: [] }]));
  await inParallel(keyIds, async (keyId) => {
    const fetches = new Map<string, number>();
    const counters = await countersOfKey(table, keyId, from, to);
    for (const { day, promptId, version, count, lastAt } of counters) {
      const prompts = counted.get(day)?.prompts;
      const versions = prompts?.get(promptId) ?? [];
      prompts?.set(promptId, versions);
      versions.push({ version, count, lastAt });
      fetches.set(day, (fetches.get(day) ?? 0) + count);
    }
    const reads = Map.groupBy(await secretReadsOf(table, keyId, from, to), ({ lastAt }) => dayIn(lastAt));
    for (const [day, { keys }] of counted)
      if (fetches.has(day) || reads.has(day))
        keys.push({ keyId, fetches: fetches.get(day) ?? 0, reads: reads.get(day) ?? [] });
  });
  return counted;
};

const putReads = async (table: Table, day: string, reads: readonly SecretReads[], ttl: number) => {
  const sorted = reads.toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  for (let part = 0; part * ROW_READS < sorted.length; part++) {
    const rowReads = sorted.slice(part * ROW_READS, (part + 1) * ROW_READS);
    await putItem(table, { ...readsKey(day, part), digests: readsText(rowReads), ttl });
  }
};

/**
 * Computes the rows of recent days from the counters. Each run replaces what it finds, so runs that overlap or repeat
 * make no difference. Returns the computed days.
 */
export const createDayRows = (table: Table) => {
  // Only what has changed: a read costs a tenth of a write.
  const putRecent = async (
    day: string,
    prompts: ReadonlyMap<string, readonly VersionFetched[]>,
    ttl: number,
  ) => {
    const slot = slotOf(day);
    const ids = [...prompts.keys()];
    for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
      const part = ids.slice(at, at + ROWS_AT_ONCE);
      const rows = await readItems(table, part.map(recentKey));
      const written = new Map(rows.map((row) => [row.sk, JSON.stringify(row[slot])]));
      await inParallel(part, async (promptId) => {
        const fetched = recentDay(prompts.get(promptId) ?? []);
        if (written.get(promptId) === JSON.stringify(fetched)) return;
        await updateItem(table, {
          Key: recentKey(promptId),
          UpdateExpression: 'SET #slot = :slot, #ttl = :ttl',
          ExpressionAttributeNames: { '#slot': slot, '#ttl': 'ttl' },
          ExpressionAttributeValues: { ':slot': fetched, ':ttl': ttl },
        });
      });
    }
  };

  const write = async (day: string, { prompts, keys }: Counted, computed: Computed) => {
    const few = new Map([...prompts].map(([id, parts]) => [id, fewVersions(summedVersions(parts))]));
    const { accessDays } = table.settings;
    const ttl = expiresAfter(new Date(day), Math.min(accessDays, COMPUTED_DAYS));
    const counterTtl = expiresAfter(new Date(day), accessDays);
    const reads = keys.flatMap((key) => key.reads);
    const apiKeys = keys.map(
      (key) => [key.keyId, { fetches: key.fetches, reads: countOf(key.reads) }] as const,
    );
    await putRecent(day, few, counterTtl);
    // As long as the counters: who received a value that has leaked is asked much later.
    await putReads(table, day, reads, counterTtl);
    const row = {
      day,
      fetches: keys.reduce((sum, { fetches }) => sum + fetches, 0),
      reads: countOf(reads),
      apiKeys: new Map(apiKeys),
      top: topOf(few),
    };
    // Last: what it says is complete.
    await putItem(table, { ...dayKey(day), ...dayFields(row), ...computed, ttl });
  };

  return async (now: Date): Promise<readonly string[]> => {
    const days = lastDays(COMPUTED_DAYS, now);
    const [uses, known] = await Promise.all([
      readLastUses(table),
      readComputed(table, days[0] ?? '', dayOf(now)),
    ]);
    const latestUse = [...uses.values()].sort().at(-1) ?? '';
    const isDue = (day: string) => {
      const { asOf, latestUse: last } = known.get(day) ?? {};
      if (asOf === undefined) return latestUse >= day;
      const isSettled = Date.parse(asOf) >= Date.parse(day) + DAY_MS + SETTLING_MS;
      const isOld = now.getTime() - Date.parse(asOf) >= HOUR_MS;
      return !isSettled && (isOld || (day === dayOf(now) && last !== latestUse));
    };
    const due = days.filter(isDue);
    const computed = { asOf: now.toISOString(), latestUse };
    for (let at = 0; at < due.length; at += DAYS_AT_ONCE) {
      const together = due.slice(at, at + DAYS_AT_ONCE);
      const used = [...uses].filter(([, lastAt]) => lastAt >= (together[0] ?? '')).map(([keyId]) => keyId);
      for (const [day, counted] of await countDays(table, together, used))
        await write(day, counted, computed);
    }
    return due;
  };
};

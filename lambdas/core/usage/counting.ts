import { later } from '../days.ts';

/** An entry that a counter counts: of the access history or of the audit log. */
export interface Countable {
  /** The partition of the entry, among those that one counter counts. */
  readonly source: string;
  /** Position in the stream of the table, padded so that positions compare as text. */
  readonly sequence: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** Of a read of secrets: the revision of the vault. */
  readonly revision?: number | undefined;
  /** Of failing calls: how many, since when, and what the counter keeps of the last. */
  readonly failure?: { readonly times: number; readonly since: string; readonly last: object };
}

/**
 * The entries that a counter has not counted yet, by the last position that it has counted of each source. The entries of a source arrive in the order in which they were
 * written, so all up to the counter's position are counted, and none after it.
 */
export const uncounted = <Entry extends Countable>(
  entries: readonly Entry[],
  positions: Readonly<Record<string, string>>,
): Entry[] => entries.filter(({ source, sequence }) => sequence > (positions[source] ?? ''));

/** The first and last position of entries of one source. */
export interface Span {
  readonly source: string;
  readonly first: string;
  readonly last: string;
}

/** The first and last position of entries in each of their sources. */
export const spansOf = (entries: readonly Countable[]): Span[] =>
  [...Map.groupBy(entries, ({ source }) => source)].map(([source, own]) => {
    const sequences = own.map(({ sequence }) => sequence).sort();
    return { source, first: sequences[0] ?? '', last: sequences.at(-1) ?? '' };
  });

/** The lowest and the highest revision that entries have read; undefined without any. */
export const revisionsOf = (
  entries: readonly Pick<Countable, 'revision'>[],
): readonly [lowest: number, highest: number] | undefined => {
  const all = entries.flatMap(({ revision = [] }) => revision).sort((a, b) => a - b);
  const lowest = all[0];
  const highest = all.at(-1);
  return lowest === undefined || highest === undefined ? undefined : [lowest, highest];
};

/** The time of the latest entry. */
export const latestOf = (entries: readonly Pick<Countable, 'at'>[]): string =>
  entries.reduce((latest, { at }) => later(latest, at), '');

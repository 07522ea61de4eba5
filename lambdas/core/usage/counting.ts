import { earlier, later } from '../lists.ts';

/** Something that adds one to a counter: an entry of the access history or of the audit log. */
export interface Countable {
  /** Names the partition that the entry is in, among those whose entries one counter counts. */
  readonly source: string;
  /** Position in the stream of the table, padded so that positions compare as text. */
  readonly sequence: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** What a counter says of the entries that it has counted. */
export interface CounterState {
  /** The last counted position of each source. */
  readonly positions: Readonly<Record<string, string>>;
  /** Entries before this time were counted by a recount, wherever they are in the stream; ISO 8601 in UTC. */
  readonly recountedTo: string;
}

/**
 * The entries that a counter has not counted yet. A source reaches the stream in the order in which it was written, so
 * all of it up to the counter's position has been counted, and nothing after that.
 */
export const uncounted = <Entry extends Countable>(
  entries: readonly Entry[],
  { positions, recountedTo }: CounterState,
): Entry[] =>
  entries.filter(({ source, sequence, at }) => sequence > (positions[source] ?? '') && at >= recountedTo);

/** The positions that some entries of one source begin and end with. */
export interface Span {
  readonly source: string;
  readonly first: string;
  readonly last: string;
}

/** From where to where entries reach in each of their sources. */
export const spansOf = (entries: readonly Countable[]): Span[] =>
  [...Map.groupBy(entries, ({ source }) => source)].map(([source, own]) => {
    const sequences = own.map(({ sequence }) => sequence).sort();
    return { source, first: sequences[0] ?? '', last: sequences.at(-1) ?? '' };
  });

/** The time of the latest of some entries. */
export const latestOf = (entries: readonly Pick<Countable, 'at'>[]): string =>
  entries.reduce((latest, { at }) => later(latest, at), '');

/** The time of the earliest of some entries, of which there is one at least. */
export const earliestOf = (entries: readonly Pick<Countable, 'at'>[]): string =>
  entries.reduce((first, { at }) => earlier(first, at), entries[0]?.at ?? '');

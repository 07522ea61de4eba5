import { LIMITS, replyBytes } from '../../../contract/limits.ts';
import { type CuevaultError, invalidRequest } from '../errors.ts';

export const invalidCursor = (): CuevaultError =>
  invalidRequest('"cursor" is not a cursor that a list has returned. Omit it to start from the first page.');

/** The cursor of a page: the position at which it ended. */
export const encodeCursor = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position in a cursor, if it has the expected form. */
export const decodeCursor = <Position>(
  cursor: string,
  isPosition: (value: unknown) => value is Position,
): Position => {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (isPosition(value)) return value;
  } catch {
    // Falls through to the common error.
  }
  throw invalidCursor();
};

/** Form of the sort keys of entries with a time: the time, then a suffix for entries of the same millisecond. */
const ENTRY = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)#[\w#-]{1,200}$/;

/** The sort key in the cursor of a list of entries with a time, none of which is after `to`, a day or a time. */
export const decodeEntryCursor = (cursor: string, to: string): string =>
  decodeCursor(cursor, (value): value is string => {
    const [, time] = typeof value === 'string' ? (ENTRY.exec(value) ?? []) : [];
    return time !== undefined && !Number.isNaN(Date.parse(time)) && time <= `${to}~`;
  });

/** The position in a sorted list: the sort value, then the id. */
export interface Sorting<Entry> {
  readonly sortedBy: (entry: Entry) => string | number;
  readonly idOf: (entry: Entry) => string;
  readonly descending: boolean;
}

export interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  readonly total: number;
  readonly cursor?: string | undefined;
}

type Position = readonly [key: string | number, id: string];

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) &&
  value.length === 2 &&
  ['string', 'number'].includes(typeof value[0]) &&
  typeof value[1] === 'string';

const compare = <T extends string | number>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);

const comparePositions = (a: Position, b: Position) => compare(a[0], b[0]) || compare(a[1], b[1]);

/** Adds entries to a page of `most` bytes; returns false for the first that does not fit. */
export const createPageRoom = (most: number = LIMITS.pageBytes): ((entry: unknown) => boolean) => {
  let bytes = 0;
  let isEmpty = true;
  return (entry) => {
    bytes += replyBytes(JSON.stringify(entry));
    // A page always takes its first entry, whatever its size; otherwise the list could not continue.
    const fits = isEmpty || bytes <= most;
    isEmpty = false;
    return fits;
  };
};

/** The first entries that fit on a page of `most` bytes of the reply; at least one. */
export const withinPage = <Entry>(entries: readonly Entry[], most?: number): readonly Entry[] => {
  const hasRoom = createPageRoom(most);
  const end = entries.findIndex((entry) => !hasRoom(entry));
  return end < 0 ? entries : entries.slice(0, end);
};

/**
 * Sorts an entire list and returns the page after the cursor, even if the entry that the cursor names is gone. The page
 * ends after `limit` entries, or earlier if these are large.
 */
export const pageOfList = <Entry>(
  entries: readonly Entry[],
  { sortedBy, idOf, descending }: Sorting<Entry>,
  { limit, cursor }: Paging,
): ListPage<Entry> => {
  const sign = descending ? -1 : 1;
  const placed = entries
    .map((entry) => ({ entry, position: [sortedBy(entry), idOf(entry)] as const }))
    .sort((a, b) => sign * comparePositions(a.position, b.position));
  const after = cursor === undefined ? undefined : decodeCursor(cursor, isPosition);
  const start =
    after === undefined
      ? 0
      : placed.findIndex(({ position }) => sign * comparePositions(position, after) > 0);
  const page = start < 0 ? [] : withinPage(placed.slice(start, start + limit));
  const last = page.at(-1);
  const ended = last === undefined || last === placed.at(-1);
  return {
    entries: page.map(({ entry }) => entry),
    total: placed.length,
    cursor: ended ? undefined : encodeCursor(last.position),
  };
};

/** Entries that a part of a screen lists. */
export const LISTED_ENTRIES = 20;

/** How many entries there are, and the first of them. */
export const firstOf = <Entry>(entries: readonly Entry[]) => ({
  total: entries.length,
  first: entries.slice(0, LISTED_ENTRIES),
});

/** Whether one of the texts contains the search text, ignoring case. */
export const holds = (texts: readonly string[], sought: string): boolean => {
  const lower = sought.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(lower));
};

/** The distinct texts, sorted; at most half a page. */
export const choicesIn = (texts: readonly string[]): readonly string[] =>
  withinPage([...new Set(texts)].sort(), LIMITS.pageBytes / 2);

import { dayIn, later } from '../../core/days.ts';
import { encodeCursor } from '../../core/lists/lists.ts';
import type { QueryPage } from '../pages.ts';
import { isAboveReserved } from '../prompts/head.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import type { Table } from '../table.ts';
import { type AccessRange, listAccesses } from '../usage/access-lists.ts';
import type { AccessEntry } from '../usage/accesses.ts';

/** A filtered page ends after this many read entries, even if it is not full; its cursor continues. */
const EXAMINED_ENTRIES = 1_000;

export interface AccessFilter {
  readonly key?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * One page of the matching access entries of a prompt since it was created, newest first. A page can have fewer than
 * `limit` entries before the last page.
 */
export const searchAccesses = async (
  table: Table,
  promptId: string,
  range: AccessRange,
  { key, version }: AccessFilter,
): Promise<QueryPage<AccessEntry>> => {
  const head = await readLiveHead(table, promptId);
  const from = later(range.from, dayIn(head.createdAt));
  const matches = (entry: AccessEntry) =>
    isAboveReserved(head, entry.version) &&
    (key === undefined || entry.apiKeyId === key) &&
    (version === undefined || entry.version === version);
  const isFiltered = key !== undefined || version !== undefined;
  const limit = isFiltered ? EXAMINED_ENTRIES : range.limit;
  const read = await listAccesses(table, promptId, { ...range, from, limit });
  const found = read.items.filter(matches);
  const items = found.slice(0, range.limit);
  const last = items.at(-1);
  if (found.length === items.length || last === undefined) return { ...read, items };
  return { items, cursor: encodeCursor(`${last.time}#${last.requestId}`) };
};

import { later } from '../../core/days.ts';
import { isAboveReserved } from '../prompts/head.ts';
import { readLiveHead } from '../prompts/lookups.ts';
import type { QueryPage } from '../queries.ts';
import type { Table } from '../table.ts';
import { type AccessEntry, type AccessRange, listAccesses } from '../usage/access-lists.ts';

/** A page ends after this many steps of `limit` entries, even if it is not full; its cursor continues. */
const STEPS = 20;

export interface AccessFilter {
  /** Id of the API key. */
  readonly key?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * One page of the matching access entries of a prompt since it was created, newest first. A page can have fewer than
 * `limit` entries before the last page.
 * Errors: `prompt_not_found`, `invalid_request` (cursor), `unavailable`.
 */
export const searchAccesses = async (
  table: Table,
  promptId: string,
  range: AccessRange,
  { key, version }: AccessFilter,
): Promise<QueryPage<AccessEntry>> => {
  const head = await readLiveHead(table, promptId);
  const from = later(range.from, head.createdAt.slice(0, 10));
  const matches = (entry: AccessEntry): boolean =>
    isAboveReserved(head, entry.version) &&
    (key === undefined || entry.apiKeyId === key) &&
    (version === undefined || entry.version === version);
  const items: AccessEntry[] = [];
  let { cursor } = range;
  for (let step = 1; step <= STEPS; step++) {
    // Only what is still missing, so that no page ends in the middle of the entries read.
    const limit = range.limit - items.length;
    const page = await listAccesses(table, promptId, { ...range, from, limit, cursor });
    items.push(...page.items.filter(matches));
    cursor = page.cursor;
    if (cursor === undefined) return { items };
    // A step that was cut by its size ends the page too.
    if (items.length === range.limit || page.items.length < limit) break;
  }
  return { items, ...(cursor === undefined ? {} : { cursor }) };
};

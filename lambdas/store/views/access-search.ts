import { later } from '../../core/lists.ts';
import { isAboveReserved, type Page, readLiveHead } from '../prompts/head.ts';
import type { Table } from '../table.ts';
import { type AccessEntry, type AccessRange, listAccesses } from '../usage/accesses.ts';

/** A page that found too little ends after so many steps of `limit` entries; its cursor leads on. */
const STEPS = 20;

export interface AccessFilter {
  /** Id of the API key. */
  readonly key?: string | undefined;
  readonly version?: string | undefined;
}

/**
 * One page of those accesses to a prompt since it was created that match, newest first. It may hold fewer than `limit` before the last one.
 * Errors: `prompt_not_found`, `invalid_request` (cursor), `unavailable`.
 */
export const searchAccesses = async (
  table: Table,
  promptId: string,
  range: AccessRange,
  { key, version }: AccessFilter,
): Promise<Page<AccessEntry>> => {
  const head = await readLiveHead(table, promptId);
  const from = later(range.from, head.createdAt.slice(0, 10));
  const matches = (entry: AccessEntry): boolean =>
    isAboveReserved(head, entry.version) &&
    (key === undefined || entry.apiKeyId === key) &&
    (version === undefined || entry.version === version);
  const items: AccessEntry[] = [];
  let { cursor } = range;
  for (let step = 1; step <= STEPS; step++) {
    // What is still missing, so that no page ends in the middle of what was read.
    const page = await listAccesses(table, promptId, {
      ...range,
      from,
      limit: range.limit - items.length,
      cursor,
    });
    items.push(...page.items.filter(matches));
    cursor = page.cursor;
    if (cursor === undefined) return { items };
    if (items.length === range.limit) break;
  }
  return { items, ...(cursor === undefined ? {} : { cursor }) };
};

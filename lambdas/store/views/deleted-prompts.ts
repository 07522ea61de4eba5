import { inParallel } from '../../core/parallel.ts';
import { listDeleted } from '../prompts/deletions.ts';
import { type Page, readHead } from '../prompts/head.ts';
import type { Table } from '../table.ts';

/** A deleted prompt in lists. Times are ISO 8601 in UTC, actors e-mail addresses. */
export interface DeletedPrompt {
  readonly promptId: string;
  readonly name: string;
  readonly latest: string;
  readonly versions: number;
  readonly deletedAt: string;
  readonly deletedBy: string;
}

/**
 * One page of the deleted prompts that can be restored at `now`, latest deletion first. A page can have fewer than
 * `limit` entries before the last page. Errors: `invalid_request` (cursor), `unavailable`.
 */
export const listDeletedPrompts = async (
  table: Table,
  now: Date,
  limit: number,
  cursor?: string,
): Promise<Page<DeletedPrompt>> => {
  const { items, ...rest } = await listDeleted(table, now, limit, cursor);
  const found = await inParallel(items, async ({ promptId, name, deletedAt }) => {
    const head = await readHead(table, promptId);
    // Restored, or the name was used again, since the list was read.
    if (head === undefined || head.deletedAt !== deletedAt) return [];
    const { latest, versions, changedBy } = head;
    return [{ promptId, name, latest, versions, deletedAt, deletedBy: changedBy }];
  });
  return { items: found.flat(), ...rest };
};

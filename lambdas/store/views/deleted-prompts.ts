import { inParallel } from '../../core/parallel.ts';
import { listDeleted } from '../prompts/deletions.ts';
import { type PromptHead, readPromptHead } from '../prompts/head.ts';
import { isRestorable } from '../prompts/lifecycle.ts';
import type { Table } from '../table.ts';

const rowOf = ({ promptId, name, latest, versions, deletedAt = '', changedBy }: PromptHead) => ({
  promptId,
  name,
  latest,
  versions,
  deletedAt,
  deletedBy: changedBy,
});

/** The deleted prompt with this id, if it can be restored at `now`; otherwise nothing. */
export const findDeletedPrompt = async (table: Table, now: Date, promptId: string) => {
  const head = await readPromptHead(table, promptId);
  return head && isRestorable(head, now) ? [rowOf(head)] : [];
};

/**
 * One page of the deleted prompts that can be restored at `now`, latest deletion first. A page can have fewer than
 * `limit` entries before the last page.
 */
export const listDeletedPrompts = async (table: Table, now: Date, limit: number, cursor?: string) => {
  const { items, ...rest } = await listDeleted(table, now, limit, cursor);
  const found = await inParallel(items, async ({ promptId, deletedAt }) => {
    const head = await readPromptHead(table, promptId);
    // Restored, or the name was used again, since the list was read.
    return head?.deletedAt === deletedAt ? [rowOf(head)] : [];
  });
  return { items: found.flat(), ...rest };
};

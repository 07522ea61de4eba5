import { inBatches } from '../../core/batches.ts';
import { withAttempts } from '../../core/parallel.ts';
import { inRange, keyOfItem, queryItems } from '../queries.ts';
import type { Table } from '../table.ts';
import { transactIf } from '../transactions.ts';
import { deleteItem } from '../updates.ts';
import { countOfKeys } from './counts.ts';
import { type Deletion, dueDeletions, forgetDeletion } from './deletions.ts';
import { discardDraft } from './drafts.ts';
import { EVENT } from './events.ts';
import { discardExamples } from './examples.ts';
import { forgetIncluded } from './fragments.ts';
import { type PromptHead, promptPartition, readPromptHead } from './head.ts';
import { putHead } from './row-writes.ts';
import { VERSION, versionKey } from './versions.ts';

/**
 * Removes the rows of prompts that were deleted more than `LIMITS.restoreDays` days before `now`, and returns the
 * number of purged deletions. The next run completes an interrupted one. A failure does not stop the others: all
 * failures are thrown together at the end, as an `AggregateError`.
 */
export const purgePrompts = async (table: Table, now: Date): Promise<number> => {
  let purged = 0;
  await withAttempts('Not every prompt could be purged.', async (attempt) => {
    for await (const deletion of dueDeletions(table, now))
      await attempt(async () => {
        if (await purge(table, deletion, now)) purged++;
      });
  });
  return purged;
};

/** Returns false if the prompt changed in the meantime; the next run purges it. */
const purge = async (table: Table, deletion: Deletion, now: Date) => {
  const head = await readPromptHead(table, deletion.promptId);
  const isDeleted = head?.deletedAt === deletion.deletedAt;
  if (head !== undefined && isDeleted && !(await emptyHead(table, head, deletion, now))) return false;
  const last = isDeleted ? head?.highest : head?.reservedUpTo;
  if (last !== undefined) {
    const pk = promptPartition(deletion.promptId);
    await removeAll(table, inRange(pk, VERSION, versionKey(deletion.promptId, last).sk));
    await removeAll(table, inRange(pk, EVENT, `${EVENT}${deletion.deletedAt}~`));
  }
  // Removed last: while it exists, the next run starts over.
  await forgetDeletion(table, deletion);
  return true;
};

/** Reduces a deleted prompt to its name and highest version; a new prompt of this name starts above it. */
const emptyHead = async (table: Table, head: PromptHead, { deletedAt }: Deletion, now: Date) => {
  const { promptId, name, generation, latest, highest, createdAt, createdBy } = head;
  const rest = { promptId, name, generation, latest, highest, createdAt, createdBy, deletedAt };
  const empty = { versions: 0, labels: [], tags: [], templateBytes: 0, excerpt: '', contentHash: '' };
  const changed = { rev: head.rev + 1, changedAt: now.toISOString(), changedBy: 'system' };
  return transactIf(table, [
    await putHead(table, { ...rest, ...empty, ...changed }, head),
    discardDraft(promptId),
    discardExamples(promptId),
    ...forgetIncluded(head),
    ...countOfKeys(undefined, head.createdByKey),
  ]);
};

const removeAll = async (table: Table, range: ReturnType<typeof inRange>) => {
  const rows = queryItems(table, { ...range, ProjectionExpression: 'pk, sk' });
  const removals = inBatches(rows, (row) => deleteItem(table, keyOfItem(row)));
  for await (const _ of removals);
};

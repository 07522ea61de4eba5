import type { ReplyTo } from '../../../contract/documentation.ts';
import type { InputOf } from '../../../contract/endpoint.ts';
import type { promptsDeleteSeveral } from '../../../contract/endpoints/prompts.ts';
import { isCuevaultError } from '../../core/errors.ts';
import { promptIdOf } from '../../core/identifiers.ts';
import type { Change } from '../audit.ts';
import { promptsIn } from '../prompts/all-prompts.ts';
import { deletePrompt } from '../prompts/lifecycle.ts';
import type { Table } from '../table.ts';
import { requireUnused } from './deletion-guard.ts';
import { PART_PROMPTS, rangeOf } from './prompt-rows.ts';

type Reply = ReplyTo<'prompts-delete-several'>;

/** Prompts that one call deletes, one after the other: about 0.1 s each. */
const DELETED_PROMPTS = 20;

/**
 * Deletes the next prompts of a folder, or of those that an API key has created, as if each was deleted by itself. What
 * is deleted is no longer found, so another call without a cursor continues with the rest.
 */
export const deletePrompts = async (
  table: Table,
  change: Change,
  { folder, createdByKey, confirm, cursor: after }: InputOf<typeof promptsDeleteSeveral.body>,
): Promise<Reply> => {
  const { prompts, isLast } = await promptsIn(table, rangeOf({ folder }), PART_PROMPTS, { after });
  const found = prompts.filter(
    (prompt) => createdByKey === undefined || prompt.createdByKey === createdByKey,
  );
  const tried = found.slice(0, DELETED_PROMPTS);
  const deleted: Reply['deleted'][number][] = [];
  const kept: Reply['kept'][number][] = [];
  for (const { name } of tried) {
    // The list is not verified. From the name follows which prompt is deleted, and its head says who created it.
    const outcome = { promptId: promptIdOf(name), name };
    try {
      if (confirm !== true) await requireUnused(table, outcome.promptId, change.at);
      await deletePrompt(table, change, outcome.promptId, { createdByKey });
      deleted.push(outcome);
    } catch (error) {
      if (isCuevaultError(error, 'in_use', 'changed_meanwhile')) {
        kept.push({ ...outcome, code: error.code, message: error.message });
      } else if (!isCuevaultError(error, 'prompt_not_found')) throw error;
    }
  }
  const left = found.length - tried.length;
  const next = left > 0 ? tried.at(-1)?.name : prompts.at(-1)?.name;
  return { deleted, kept, left, more: !isLast, ...((left > 0 || !isLast) && { cursor: next }) };
};

import { promptsListDeleted } from '../../../contract/endpoints/prompts/prompts-list-deleted.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { findDeletedPrompt, listDeletedPrompts } from '../../store/views/deleted-prompts.ts';

const table = connectTable();

/** Returns one page of the deleted prompts that can be restored, or only the one with an id. */
export const handler = operatorEndpoint(promptsListDeleted, async ({ query, at }) => {
  const { promptId, limit, cursor } = query;
  const { items, ...rest } =
    promptId === undefined
      ? await listDeletedPrompts(table, at, limit, cursor)
      : { items: await findDeletedPrompt(table, at, promptId) };
  return {
    ...rest,
    prompts: items.map((prompt) => ({ ...prompt, restorableUntil: restorableUntil(prompt.deletedAt) })),
  };
});

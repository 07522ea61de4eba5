import { promptsListDeleted } from '../../../contract/endpoints/prompts/prompts-list-deleted.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { connectTable } from '../../store/table.ts';
import { listDeletedPrompts } from '../../store/views/deleted-prompts.ts';

const table = connectTable();

/** Returns one page of the deleted prompts that can be restored. */
export const handler = operatorEndpoint(promptsListDeleted, async ({ query: { limit, cursor }, at }) => {
  const { items, ...rest } = await listDeletedPrompts(table, at, limit, cursor);
  return {
    ...rest,
    prompts: items.map((prompt) => ({ ...prompt, restorableUntil: restorableUntil(prompt.deletedAt) })),
  };
});

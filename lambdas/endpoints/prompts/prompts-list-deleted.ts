import { promptsListDeleted } from '../../../contract/endpoints/prompts.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { findDeletedPrompt, listDeletedPrompts } from '../../store/views/deleted-prompts.ts';

export const handler = readEndpoint(promptsListDeleted, async ({ table, query, at }) => {
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

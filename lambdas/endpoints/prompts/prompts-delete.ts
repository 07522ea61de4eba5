import { promptsDelete } from '../../../contract/endpoints/prompts.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { deletePrompt } from '../../store/prompts/lifecycle.ts';
import { requireUnused } from '../../store/views/deletion-guard.ts';

export const handler = changeEndpoint(
  promptsDelete,
  async ({ table, params: { promptId }, query, at, change }) => {
    if (query.confirm !== true) await requireUnused(table, promptId, at);
    const { name } = await deletePrompt(table, change, promptId, query);
    return { promptId, name, restorableUntil: restorableUntil(at.toISOString()) };
  },
);

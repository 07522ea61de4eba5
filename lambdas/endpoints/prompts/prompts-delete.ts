import { promptsDelete } from '../../../contract/endpoints/prompts/prompts-delete.ts';
import { restorableUntil } from '../../core/restoring.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { deletePrompt } from '../../store/prompts/lifecycle.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';
import { requirePromptUnused } from '../../store/views/deletion-guard.ts';

const table = connectSigningTable();

/** Deletes a prompt; if it is in use, only with confirmation. */
export const handler = operatorEndpoint(
  promptsDelete,
  async ({ params: { promptId }, query, at, change }) => {
    if (query.confirm !== true) await requirePromptUnused(table, promptId, at);
    const { name } = await deletePrompt(table, change, promptId, query);
    return { promptId, name, restorableUntil: restorableUntil(at.toISOString()) };
  },
);

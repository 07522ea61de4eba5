import { draftsDelete } from '../../../contract/endpoints/versions/drafts-delete.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { deleteDraft } from '../../store/prompts/drafts.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Discards the draft of a prompt. */
export const handler = operatorEndpoint(draftsDelete, async ({ params: { promptId }, query, change }) => {
  await deleteDraft(table, change, promptId, query);
  return { promptId };
});

import { draftsDelete } from '../../../contract/endpoints/versions.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { deleteDraft } from '../../store/prompts/drafts.ts';

export const handler = readEndpoint(draftsDelete, async ({ table, params: { promptId }, query, change }) => {
  await deleteDraft(table, change, promptId, query);
  return { promptId };
});

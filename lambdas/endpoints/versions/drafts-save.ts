import { draftsSave } from '../../../contract/endpoints/versions/drafts-save.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { contentOf } from '../../http/serializers.ts';
import { saveDraft } from '../../store/prompts/drafts.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Saves the draft of a prompt. */
export const handler = operatorEndpoint(draftsSave, async ({ params: { promptId }, body, change }) => {
  const { baseVersion, rev } = body;
  return { draft: await saveDraft(table, change, promptId, { ...contentOf(body), baseVersion, rev }) };
});

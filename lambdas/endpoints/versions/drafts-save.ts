import { draftsSave } from '../../../contract/endpoints/versions/drafts-save.ts';
import { storedContent } from '../../core/prompts/contents.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { contentOf } from '../../http/serializers/prompts.ts';
import { saveDraft } from '../../store/prompts/drafts.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Saves the draft of a prompt. */
export const handler = operatorEndpoint(draftsSave, async ({ params: { promptId }, body, change }) => {
  const { baseVersion, rev } = body;
  const input = { ...storedContent(body), baseVersion, rev };
  return { draft: contentOf(await saveDraft(table, change, promptId, input)) };
});

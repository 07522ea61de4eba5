import { draftsSave } from '../../../contract/endpoints/versions.ts';
import { storedContent } from '../../core/prompts/contents.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { contentOf } from '../../http/serializers/prompts.ts';
import { saveDraft } from '../../store/prompts/drafts.ts';

export const handler = readEndpoint(draftsSave, async ({ table, params: { promptId }, body, change }) => {
  const { baseVersion, rev } = body;
  const input = { ...storedContent(body), baseVersion, rev };
  return { draft: contentOf(await saveDraft(table, change, promptId, input)) };
});

import { promptsCreate } from '../../../contract/endpoints/prompts.ts';
import { hintFor, storedContent } from '../../core/prompts/contents.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { withFragments } from '../../store/prompts/fragments.ts';
import { createPrompt } from '../../store/prompts/lifecycle.ts';

export const handler = changeEndpoint(promptsCreate, async ({ table, body, change }) => {
  const { name, version, label, overDeleted } = body;
  const content = await withFragments(table, storedContent(body));
  const input = { ...content, name, version, label, overDeleted };
  return { prompt: promptOf(await createPrompt(table, change, input)), ...hintFor(body) };
});

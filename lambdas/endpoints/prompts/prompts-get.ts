import { promptsGet } from '../../../contract/endpoints/prompts/prompts-get.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { contentOf, promptOf } from '../../http/serializers/prompts.ts';
import { getPrompt } from '../../store/prompts/lifecycle.ts';
import { fetchesOfPrompt } from '../../store/views/prompt-fetches.ts';

export const handler = readEndpoint(promptsGet, async ({ table, params: { promptId }, at }) => {
  const { head, draft = null, examples = null } = await getPrompt(table, promptId);
  return {
    prompt: promptOf(head),
    draft: draft && contentOf(draft),
    examples,
    fetches: await fetchesOfPrompt(table, head, at),
  };
});

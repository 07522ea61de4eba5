import { promptsGet } from '../../../contract/endpoints/prompts/prompts-get.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { contentOf, promptOf } from '../../http/serializers/prompts.ts';
import { getPrompt } from '../../store/prompts/lifecycle.ts';
import { failingCalls } from '../../store/views/failing-calls.ts';
import { fetchesOfPrompt } from '../../store/views/prompt-fetches.ts';

export const handler = readEndpoint(promptsGet, async ({ table, params: { promptId }, at }) => {
  const { head, draft = null, examples = null } = await getPrompt(table, promptId);
  const [fetches, failing] = await Promise.all([
    fetchesOfPrompt(table, head, at),
    failingCalls(table, head, at),
  ]);
  return {
    prompt: promptOf(head),
    draft: draft && contentOf(draft),
    examples,
    ...{ fetches, failing },
  };
});

import { promptsGet } from '../../../contract/endpoints/prompts/prompts-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { contentOf, promptOf } from '../../http/serializers/prompts.ts';
import { getPrompt } from '../../store/prompts/lifecycle.ts';
import { connectTable } from '../../store/table.ts';
import { fetchesOfPrompt } from '../../store/views/prompt-fetches.ts';

const table = connectTable();

/** Returns a prompt with its draft, its example values and its usage. */
export const handler = operatorEndpoint(promptsGet, async ({ params: { promptId }, at }) => {
  const { head, draft = null, examples = null } = await getPrompt(table, promptId);
  return {
    prompt: promptOf(head),
    draft: draft && contentOf(draft),
    examples,
    fetches: await fetchesOfPrompt(table, head, at),
  };
});

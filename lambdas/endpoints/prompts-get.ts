import { promptsGet } from '../../contract/endpoints/prompts-get.ts';
import { operatorEndpoint } from '../http/operator-endpoint.ts';
import { promptOf } from '../http/presented.ts';
import { fetchesOfPrompt } from '../store/prompt-fetches.ts';
import { getPrompt } from '../store/prompts.ts';
import { connectTable } from '../store/table.ts';

const table = connectTable();

/** Returns a prompt with its draft and its use. */
export const handler = operatorEndpoint(promptsGet, async ({ params: { promptId }, at }) => {
  const { head, draft = null } = await getPrompt(table, promptId);
  return { prompt: promptOf(head), draft, fetches: await fetchesOfPrompt(table, head, at) };
});

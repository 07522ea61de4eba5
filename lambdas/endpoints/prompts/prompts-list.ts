import { promptsList } from '../../../contract/endpoints/prompts.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { listedOf } from '../../http/serializers/prompts.ts';
import { listPromptRows } from '../../store/views/prompt-rows.ts';

export const handler = readEndpoint(promptsList, async ({ table, query, at }) => {
  const { entries, ...rest } = await listPromptRows(table, at, query);
  return { ...rest, prompts: entries.map(listedOf) };
});

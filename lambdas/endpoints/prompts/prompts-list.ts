import { promptsList } from '../../../contract/endpoints/prompts.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { listedOf } from '../../http/serializers/prompts.ts';
import { connectTable } from '../../store/connect.ts';
import { listPromptRows } from '../../store/views/prompt-rows.ts';

const table = connectTable();

export const handler = operatorEndpoint(promptsList, table, async ({ query, at }) => {
  const { entries, ...rest } = await listPromptRows(table, at, query);
  return { ...rest, prompts: entries.map(listedOf) };
});

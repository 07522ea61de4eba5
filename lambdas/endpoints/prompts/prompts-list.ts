import { promptsList } from '../../../contract/endpoints/prompts/prompts-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { connectTable } from '../../store/connect.ts';
import { createUsageDays } from '../../store/usage/days.ts';
import { listPromptRows } from '../../store/views/prompt-rows.ts';

const table = connectTable();
const usageDays = createUsageDays(table);

export const handler = operatorEndpoint(promptsList, async ({ query, at }) => {
  const { entries, ...rest } = await listPromptRows(table, usageDays, at, query);
  return { ...rest, prompts: entries.map(promptOf) };
});

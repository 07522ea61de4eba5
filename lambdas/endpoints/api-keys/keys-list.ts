import { keysList } from '../../../contract/endpoints/api-keys/keys-list.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { connectTable } from '../../store/connect.ts';
import { createCallCounts, listApiKeyRows } from '../../store/views/api-key-rows.ts';

const table = connectTable();
const callCounts = createCallCounts(table);

export const handler = operatorEndpoint(keysList, async ({ query, at }) => {
  const { entries, ...rest } = await listApiKeyRows(table, callCounts, at, query);
  return { ...rest, keys: entries.map((row) => keyOf(row, at)) };
});

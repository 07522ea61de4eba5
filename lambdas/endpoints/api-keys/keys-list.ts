import { keysList } from '../../../contract/endpoints/api-keys.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { connectTable } from '../../store/connect.ts';
import { listApiKeyRows } from '../../store/views/api-key-rows.ts';

const table = connectTable();

export const handler = operatorEndpoint(keysList, table, async ({ query, at }) => {
  const { entries, ...rest } = await listApiKeyRows(table, at, query);
  return { ...rest, keys: entries.map((row) => keyOf(table, row, at)) };
});

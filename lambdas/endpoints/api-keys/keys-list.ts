import { keysList } from '../../../contract/endpoints/api-keys.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { listApiKeyRows } from '../../store/views/api-key-rows.ts';

export const handler = readEndpoint(keysList, async ({ table, query, at }) => {
  const { entries, ...rest } = await listApiKeyRows(table, at, query);
  return { ...rest, keys: entries.map((row) => shownKey(table, row, at)) };
});

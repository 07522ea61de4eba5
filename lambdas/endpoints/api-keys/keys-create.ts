import { keysCreate } from '../../../contract/endpoints/api-keys/keys-create.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { createApiKey } from '../../store/api-keys/api-keys.ts';

export const handler = changeEndpoint(keysCreate, async ({ table, body, at, change }) => {
  const { apiKey, record } = await createApiKey(table, change, body);
  return { apiKey, key: keyOf(record, at) };
});

import { keysGet } from '../../../contract/endpoints/api-keys.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { connectTable } from '../../store/connect.ts';
import { createApiKeyDetails } from '../../store/views/api-key-details.ts';

const table = connectTable();
const details = createApiKeyDetails(table);

export const handler = operatorEndpoint(keysGet, table, async ({ params: { keyId }, at }) => {
  const { key, ...rest } = await details(keyId, at);
  return { key: shownKey(table, key, at), ...rest };
});

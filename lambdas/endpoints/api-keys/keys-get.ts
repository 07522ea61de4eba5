import { keysGet } from '../../../contract/endpoints/api-keys/keys-get.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { connectTable } from '../../store/connect.ts';
import { createApiKeyDetails } from '../../store/views/api-key-details.ts';

const details = createApiKeyDetails(connectTable());

export const handler = operatorEndpoint(keysGet, async ({ params: { keyId }, at }) => {
  const { key, ...rest } = await details(keyId, at);
  return { key: keyOf(key, at), ...rest };
});

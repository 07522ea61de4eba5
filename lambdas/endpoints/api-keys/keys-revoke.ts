import { keysRevoke } from '../../../contract/endpoints/api-keys.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { revokeApiKey } from '../../store/api-keys/api-keys.ts';

export const handler = readEndpoint(keysRevoke, async ({ table, params: { keyId }, at, change }) => ({
  key: shownKey(table, await revokeApiKey(table, change, keyId), at),
}));

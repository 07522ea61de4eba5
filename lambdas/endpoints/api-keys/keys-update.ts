import { keysUpdate } from '../../../contract/endpoints/api-keys.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { narrowApiKey } from '../../store/api-keys/api-keys.ts';

export const handler = changeEndpoint(keysUpdate, async ({ table, params: { keyId }, body, at, change }) => ({
  key: shownKey(table, await narrowApiKey(table, change, keyId, body), at),
}));

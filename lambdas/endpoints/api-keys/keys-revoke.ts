import { keysRevoke } from '../../../contract/endpoints/api-keys/keys-revoke.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { revokeApiKey } from '../../store/api-keys/api-keys.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Revokes an API key. */
export const handler = operatorEndpoint(keysRevoke, async ({ params: { keyId }, at, change }) => ({
  key: keyOf(await revokeApiKey(table, change, keyId), at),
}));

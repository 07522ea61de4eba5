import { keysGet } from '../../../contract/endpoints/api-keys.ts';
import { keyId as keyIdShape } from '../../../contract/fields/common.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { shownKey } from '../../http/serializers/api-keys.ts';
import { connectTable } from '../../store/connect.ts';
import { withBatchedReads } from '../../store/reading-ahead.ts';
import { VAULT_ROWS } from '../../store/secrets/secret-lists.ts';
import { createApiKeyDetails, rowsOfKey } from '../../store/views/api-key-details.ts';

const table = withBatchedReads(connectTable());
const details = createApiKeyDetails(table);

export const handler = operatorEndpoint(
  keysGet,
  table,
  async ({ params: { keyId }, at, table: own }) => {
    const { key, ...rest } = await details(keyId, at, own);
    return { key: shownKey(table, key, at), ...rest };
  },
  // A longer one is refused, and could not be a key of the table.
  ({ keyId = '' }) => [...VAULT_ROWS, ...(keyIdShape.safeParse(keyId).success ? rowsOfKey(keyId) : [])],
);

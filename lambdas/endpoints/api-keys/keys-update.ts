import { keysUpdate } from '../../../contract/endpoints/api-keys/keys-update.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { narrowApiKey } from '../../store/api-keys/api-keys.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Renames or narrows an API key. */
export const handler = operatorEndpoint(keysUpdate, async ({ params: { keyId }, body, at, change }) => {
  const { name, tags, prompts, labels, expiresAt } = body;
  const changes = {
    ...(name !== undefined && { name }),
    ...(tags !== undefined && { tags }),
    ...(prompts !== undefined && { prompts }),
    ...(labels !== undefined && { labels }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return { key: keyOf(await narrowApiKey(table, change, keyId, changes), at) };
});

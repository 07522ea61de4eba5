import { keysCreate } from '../../../contract/endpoints/api-keys/keys-create.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { createApiKey } from '../../store/api-keys/api-keys.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Creates an API key. Only the reply contains the key itself. */
export const handler = operatorEndpoint(keysCreate, async ({ body, at, change }) => {
  const { name, permissions, tags = [], prompts = [], cidrs = [], labels, expiresAt, replaces } = body;
  const input = {
    name,
    permissions,
    tags,
    prompts,
    cidrs,
    labels,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(replaces === undefined ? {} : { replaces }),
  };
  const { apiKey, record } = await createApiKey(table, change, input);
  return { apiKey, key: keyOf(record, at) };
});

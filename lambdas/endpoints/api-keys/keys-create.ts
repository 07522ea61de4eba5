import { keysCreate } from '../../../contract/endpoints/api-keys/keys-create.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { keyOf } from '../../http/serializers/api-keys.ts';
import { createApiKey } from '../../store/api-keys/api-keys.ts';

export const handler = changeEndpoint(keysCreate, async ({ table, body, at, change }) => {
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

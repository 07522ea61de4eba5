import {
  LIST_KEY_USES,
  LIST_PROMPTS,
  MANY_ROWS,
  PATHS,
  READ_VAULT,
  READ_VAULT_USE,
  VIEWER,
} from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofKey } from '../../shapes/common.ts';

export const keysGet = endpoint({
  id: 'keys-get',
  route: { method: 'GET', path: PATHS.key },
  access: VIEWER,
  params: ofKey,
  errors: ['api_key_not_found'],
  ...MANY_ROWS,
  grants: [
    ...LIST_KEY_USES,
    ...LIST_PROMPTS,
    { on: 'table', actions: ['BatchGetItem'], partitions: ['prompt'] },
    { on: 'table', actions: ['GetItem'], partitions: ['issuerKeys', 'apiKey'] },
    { on: 'index', partitions: ['usageOfKey'] },
    ...READ_VAULT,
    ...READ_VAULT_USE,
    { on: 'table', actions: ['Query'], partitions: ['vaultUse', 'auditRefusal'] },
  ],
  summary: 'Fetch an API key with what it may read and what it read',
});

import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofKey } from '../../shapes/common.ts';

export const keysRevoke = endpoint({
  id: 'keys-revoke',
  route: { method: 'DELETE', path: PATHS.key },
  access: ADMIN,
  params: ofKey,
  errors: ['api_key_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'UpdateItem'], partitions: ['apiKey'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  ],
  summary: 'Revoke an API key',
});

import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsGet = endpoint({
  id: 'secrets-get',
  route: { method: 'GET', path: PATHS.secret },
  access: VIEWER,
  params: ofSecret,
  errors: ['secret_not_found'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['Query'], partitions: ['secret'] },
    ...READ_VAULT_USE,
    ...LIST_KEYS,
  ],
  summary: 'Fetch the details of a secret',
});

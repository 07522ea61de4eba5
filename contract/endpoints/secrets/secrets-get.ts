import { LIST_KEYS, MANY_ROWS, PATHS, READ_VAULT, READ_VAULT_USE, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';
import { ofSecret } from '../../shapes/common.ts';

export const secretsGet = endpoint({
  id: 'secrets-get',
  route: { method: 'GET', path: PATHS.secret },
  access: VIEWER,
  params: ofSecret,
  query: strictFields(inEnvironment),
  errors: ['environment_not_found', 'secret_not_found'],
  ...MANY_ROWS,
  grants: [
    ...READ_VAULT,
    { on: 'table', actions: ['Query'], partitions: ['secret'] },
    ...READ_VAULT_USE,
    ...LIST_KEYS,
  ],
  summary: 'Fetch the details of a secret',
});

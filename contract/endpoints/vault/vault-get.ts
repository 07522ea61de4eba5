import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { inEnvironment, strictFields } from '../../fields/fields.ts';

export const vaultGet = endpoint({
  id: 'vault-get',
  route: { method: 'GET', path: PATHS.vault },
  access: VIEWER,
  query: strictFields(inEnvironment),
  errors: ['environment_not_found'],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'Fetch the state of the vault',
});

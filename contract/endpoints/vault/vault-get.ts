import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const vaultGet = endpoint({
  id: 'vault-get',
  route: { method: 'GET', path: PATHS.vault },
  access: VIEWER,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'Fetch the state of the vault',
});

import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const environmentsList = endpoint({
  id: 'environments-list',
  route: { method: 'GET', path: PATHS.environments },
  access: VIEWER,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['vault'] }],
  summary: 'List the environments',
});

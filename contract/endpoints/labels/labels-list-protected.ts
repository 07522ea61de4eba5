import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const labelsListProtected = endpoint({
  id: 'labels-list-protected',
  route: { method: 'GET', path: PATHS.protectedLabels },
  access: VIEWER,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['labelProtection'] }],
  summary: 'List protected labels',
});

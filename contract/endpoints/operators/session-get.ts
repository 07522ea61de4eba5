import { FEW_ROWS, PATHS, VIEWER } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const sessionGet = endpoint({
  id: 'session-get',
  route: { method: 'GET', path: PATHS.session },
  access: VIEWER,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['GetItem'], partitions: ['labelProtection', 'vault'] }],
  summary: 'Fetch who is signed in, and what every screen needs',
});

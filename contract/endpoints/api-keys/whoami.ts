import { FEW_ROWS } from '../../admin.ts';
import { endpoint, PERMISSIONS } from '../../endpoint.ts';

export const whoami = endpoint({
  id: 'whoami',
  route: { method: 'GET', path: '/api/whoami' },
  access: { kind: 'api-key', permission: PERMISSIONS, publishing: true },
  errors: [],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem'], partitions: ['apiKey', 'issuerKeys'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditRefusal'] },
  ],
  summary: 'Fetch who calls',
});

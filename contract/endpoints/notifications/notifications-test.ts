import { ADMIN, FEW_ROWS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const notificationsTest = endpoint({
  id: 'notifications-test',
  route: { method: 'POST', path: '/api/admin/notifications/test' },
  access: ADMIN,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'table', actions: ['PutItem'], partitions: ['auditChange'] }],
  summary: 'Send a test event',
});

import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';

export const operatorsList = endpoint({
  id: 'operators-list',
  route: { method: 'GET', path: PATHS.operators },
  access: ADMIN,
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'user-pool', actions: ['ListUsers', 'ListUsersInGroup'] }],
  summary: 'List operators',
});

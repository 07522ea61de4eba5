import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { READ_USERS } from '../../shapes/operators.ts';

export const operatorsList = endpoint({
  id: 'operators-list',
  route: { method: 'GET', path: PATHS.operators },
  access: ADMIN,
  errors: [],
  ...FEW_ROWS,
  grants: READ_USERS,
  summary: 'List operators',
});

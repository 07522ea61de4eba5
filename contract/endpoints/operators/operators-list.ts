import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { OPERATOR } from '../../http/examples.ts';
import { operatorShape } from '../../shapes/operators.ts';

export const operatorsList = endpoint({
  id: 'operators-list',
  route: { method: 'GET', path: PATHS.operators },
  access: ADMIN,
  reply: z.object({ operators: z.array(operatorShape) }),
  errors: [],
  ...FEW_ROWS,
  grants: [{ on: 'user-pool', actions: ['ListUsers', 'ListUsersInGroup'] }],
  summary: 'List operators',
  description: 'All operators by e-mail address, with group and status.',
  examples: [{ summary: 'One operator', res: { operators: [OPERATOR] } }],
});

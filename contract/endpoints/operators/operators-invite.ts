import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/strict-fields.ts';
import { OPERATOR } from '../../http/examples.ts';
import { CHANGE_OPERATORS, email, group, operatorShape } from '../../shapes/operators.ts';

export const operatorsInvite = endpoint({
  id: 'operators-invite',
  route: { method: 'POST', path: PATHS.operators },
  access: ADMIN,
  body: strictFields(
    { email, group },
    { error: 'The body must be a JSON object, such as {"email": "ada@example.com", "group": "editor"}.' },
  ),
  reply: z.object({ operator: operatorShape }),
  errors: ['operator_exists'],
  ...FEW_ROWS,
  grants: CHANGE_OPERATORS,
  summary: 'Invite an operator',
  description:
    'Creates an operator in a group and mails them a temporary password, which expires after seven days. An administrator who was disabled or left the group is refused, even with an access token that is still valid.',
  examples: [
    {
      summary: 'An editor',
      body: { email: OPERATOR.email, group: OPERATOR.group },
      res: { operator: OPERATOR },
    },
  ],
});

import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { email, group, INVITE } from '../../shapes/operators.ts';

export const operatorsInvite = endpoint({
  id: 'operators-invite',
  route: { method: 'POST', path: PATHS.operators },
  access: ADMIN,
  body: strictFields(
    { email, group },
    { error: 'The body must be a JSON object, such as {"email": "ada@example.com", "group": "editor"}.' },
  ),
  errors: ['operator_exists', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: INVITE,
  summary: 'Invite an operator',
});

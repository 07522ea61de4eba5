import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { strictFields } from '../../fields/fields.ts';
import { emails, group, INVITE, signInBy } from '../../shapes/operators.ts';

export const operatorsInvite = endpoint({
  id: 'operators-invite',
  route: { method: 'POST', path: PATHS.operators },
  access: ADMIN,
  body: strictFields(
    { emails, group, signIn: z.optional(signInBy) },
    { error: 'The body must be a JSON object, such as {"emails": ["ada@example.com"], "group": "editor"}.' },
  ),
  errors: ['operator_exists', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: INVITE,
  summary: 'Invite operators',
});

import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { described, flag, strictFields } from '../../fields/fields.ts';
import { CHANGE_OPERATOR, group, ofOperator } from '../../shapes/operators.ts';

const body = strictFields(
  {
    group: z.optional(group),
    enabled: z.optional(
      flag(
        '`false` ends access with the next call, blocks sign-in and ends all sessions; `true` allows it again.',
      ),
    ),
    resetSignIn: z.optional(
      described(
        z.literal(true, { error: 'must be true' }),
        'Replaces the password with a temporary one, which is mailed, removes the authenticator app and ends all sessions.',
      ),
    ),
  },
  { error: 'The body must be a JSON object, such as {"group": "editor"} or {"enabled": false}.' },
).check(
  z.refine((changes) => Object.values(changes).filter((change) => change !== undefined).length === 1, {
    error: 'Send exactly one of "group", "enabled" and "resetSignIn".',
  }),
);

export const operatorsUpdate = endpoint({
  id: 'operators-update',
  route: { method: 'PATCH', path: PATHS.operator },
  access: ADMIN,
  params: ofOperator,
  body,
  errors: ['operator_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: CHANGE_OPERATOR,
  summary: 'Change an operator',
});

import * as z from 'zod/mini';
import { ADMIN, FEW_ROWS, PATHS, SIGN } from '../../admin.ts';
import { endpoint } from '../../endpoint.ts';
import { flag, inEnvironment, strictFields, text } from '../../fields/fields.ts';
import { LIMITS } from '../../limits.ts';

export const servingSet = endpoint({
  id: 'serving-set',
  route: { method: 'PUT', path: `${PATHS.vault}/serving` },
  access: ADMIN,
  body: strictFields(
    {
      ...inEnvironment,
      allowed: flag('`false` stops serving secrets; `true` serves them again.'),
      reason: z.optional(
        text(LIMITS.stopReasonBytes, 'Why serving stops; required then. Operators see it on every screen.'),
      ),
    },
    { error: 'The body must be a JSON object, such as {"allowed": true}.' },
  ).check(
    z.refine(({ allowed, reason }) => allowed === (reason === undefined), {
      error: 'Send "reason" with "allowed": false, and only then.',
    }),
  ),
  errors: ['environment_not_found', 'changed_meanwhile'],
  ...FEW_ROWS,
  grants: [
    { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['vault'] },
    { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
    ...SIGN,
  ],
  summary: 'Stop or start serving secrets',
});

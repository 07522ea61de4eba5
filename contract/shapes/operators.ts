import * as z from 'zod/mini';
import { described, text } from '../fields/fields.ts';
import type { Grant } from '../functions/grants.ts';

/** A group of operators. */
export const group = described(
  z.enum(['admin', 'editor', 'viewer'], { error: 'must be "admin", "editor" or "viewer"' }),
  'The group, which decides what an operator may do.',
);

/** An e-mail address to invite. Cognito checks it too. */
export const email = text(254, 'E-mail address of the operator.').check(
  z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, { error: 'must be an e-mail address' }),
);

/** Path parameter. */
export const ofOperator = z.object({ operatorId: text(128, 'Unique identifier of the operator.') });

/** Whether the administrator who calls still is one, and the state of the operator to change. */
export const CHANGE_OPERATORS: readonly Grant[] = [
  {
    on: 'user-pool',
    actions: ['AdminGetUser', 'AdminListGroupsForUser', 'AdminCreateUser', 'AdminAddUserToGroup'],
  },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
];

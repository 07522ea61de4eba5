import * as z from 'zod/mini';
import { described, text } from '../fields/fields.ts';
import type { Grant } from '../functions/grants.ts';

export const group = described(
  z.enum(['admin', 'editor', 'viewer'], { error: 'must be "admin", "editor" or "viewer"' }),
  'The group, which decides what an operator may do.',
);

/** An e-mail address to invite. Cognito checks it too. */
export const email = text(254, 'E-mail address of the operator.').check(
  z.regex(/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, { error: 'must be an e-mail address' }),
);

export const ofOperator = z.object({ operatorId: text(128, 'Unique identifier of the operator.') });

/** The user of Cognito who belongs to an operator, and whether they have signed in. */
export const READ_USERS: readonly Grant[] = [
  { on: 'index', partitions: ['operators'] },
  { on: 'table', actions: ['BatchGetItem'], partitions: ['operator'] },
  { on: 'user-pool', actions: ['ListUsers'] },
];

/** Invites an operator: a user, then the row. A user without a row gets a temporary password. */
export const INVITE: readonly Grant[] = [
  { on: 'table', actions: ['GetItem', 'PutItem'], partitions: ['operator'] },
  { on: 'table', actions: ['PutItem'], partitions: ['auditChange'] },
  { on: 'signing-key', actions: ['Sign'] },
  {
    on: 'user-pool',
    actions: [
      'AdminGetUser',
      'AdminCreateUser',
      'AdminEnableUser',
      'AdminSetUserPassword',
      'AdminSetUserMFAPreference',
      'AdminUserGlobalSignOut',
    ],
  },
];

/** Changes an operator: like an invitation, and the user can be disabled. */
export const CHANGE_OPERATOR: readonly Grant[] = [
  ...INVITE,
  { on: 'user-pool', actions: ['AdminDisableUser'] },
];

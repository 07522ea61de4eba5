import * as z from 'zod/mini';
import { ROLES } from '../fields/access.ts';
import { described, text } from '../fields/fields.ts';
import { EMAIL } from '../fields/patterns.ts';
import type { Grant } from '../functions/grants.ts';
import { LIMITS } from '../limits.ts';
import { onIndex, onTable } from '../table.ts';

export const group = described(
  z.enum(ROLES, { error: 'must be "admin", "editor" or "viewer"' }),
  'The group, which decides what an operator may do.',
);

/** An e-mail address to invite. Cognito checks it too. */
export const email = text(254, 'E-mail address of the operator.').check(
  z.regex(EMAIL, {
    error: 'must be an e-mail address in ASCII; write a domain with other letters in Punycode ("xn--…")',
  }),
);

/** Addresses to invite, each once. */
export const emails = described(
  z
    .array(email)
    .check(
      z.minLength(1, { error: 'must contain an address' }),
      z.maxLength(LIMITS.invitations, { error: `must contain at most ${LIMITS.invitations} addresses` }),
    ),
  'E-mail addresses to invite.',
);

/** How somebody signs in. */
export const signInBy = described(
  z.enum(['password', 'company'], { error: 'must be "password" or "company"' }),
  'With a password and a second factor, or through the company.',
);

/** The open invitation of an address. */
export const FIND_INVITATION: readonly Grant[] = [onTable('GetItem', 'operator', 'operatorAddress')];

/** The user of Cognito who belongs to an operator, and whether they have signed in. */
export const READ_USERS: readonly Grant[] = [
  onIndex('operators'),
  onTable('BatchGetItem', 'operator'),
  { on: 'user-pool', actions: ['ListUsers'] },
];

/** The first sign-in of a person takes the invitation, later ones read what it wrote. */
export const BIND_PERSON: readonly Grant[] = [
  onTable(['GetItem', 'PutItem'], 'operator', 'operatorAddress', 'operatorIdentity'),
  onTable('PutItem', 'auditChange'),
  { on: 'signing-key', actions: ['Sign'] },
];

/** Invites an operator: a user, then the row. A user without a row gets a temporary password. */
export const INVITE: readonly Grant[] = [
  onTable(['GetItem', 'PutItem'], 'operator', 'operatorAddress'),
  onTable('PutItem', 'auditChange'),
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

/** Two administrators who demote each other at once must not both succeed. */
export const REQUIRE_ACTOR: readonly Grant[] = [onTable('ConditionCheckItem', 'operator')];

/** Changes an operator: like an invitation, and the user can be disabled. */
export const CHANGE_OPERATOR: readonly Grant[] = [
  ...INVITE,
  { on: 'user-pool', actions: ['AdminDisableUser'] },
];

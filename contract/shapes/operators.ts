import * as z from 'zod/mini';
import { ROLES } from '../fields/access.ts';
import { described, listOf, text } from '../fields/fields.ts';
import { EMAIL } from '../fields/patterns.ts';
import { LIMITS } from '../limits.ts';

export const group = described(
  z.enum(ROLES, 'must be "admin", "editor" or "viewer"'),
  'The group, which decides what an operator may do.',
);

/** An e-mail address to invite. Cognito checks it too. */
export const email = text(254, 'E-mail address of the operator.').check(
  z.regex(
    EMAIL,
    'must be an e-mail address in ASCII; write a domain with other letters in Punycode ("xn--…")',
  ),
);

/** Addresses to invite, each once. */
export const emails = listOf(email, LIMITS.invitations, 'E-mail addresses to invite.', 1);

/** How somebody signs in. */
export const signInBy = described(
  z.enum(['password', 'company'], 'must be "password" or "company"'),
  'With a password and a second factor, or through the company.',
);

import type { Role } from '../../contract/endpoint.ts';
import { CuevaultError } from './errors.ts';

/** What an access token says of its bearer, each value as text, as the JWT authorizer hands it over. */
export type Claims = Readonly<Record<string, unknown>>;

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

const isRole = (group: string): group is Role => (ROLES as readonly string[]).includes(group);

const forbidden = (sentence: string) => new CuevaultError('forbidden', sentence);

/**
 * The groups in the text `[admin editor]`. That text cannot say whether a blank parts two groups or stands in the name
 * of one, so a name that is none of ours lets nobody in: `[not admin]` is no `admin`. Errors: `forbidden`.
 */
const groupsOf = (claim: unknown): Role[] => {
  const [, names = ''] = typeof claim === 'string' ? (/^\[(.*)\]$/s.exec(claim) ?? []) : [];
  const groups = names === '' ? [] : names.split(' ');
  if (groups.every(isRole)) return groups;
  throw forbidden(
    `Your account is in a group that is none of ${ROLES.join(', ')}. Ask an administrator to take it out.`,
  );
};

const rank = (role: Role): number => ROLES.indexOf(role);

/**
 * Whether these claims let an operator do what needs a role, and who that is: the e-mail address, or else the name of
 * the account. Errors: `forbidden`.
 */
export const admitOperator = (claims: Claims, role: Role): string => {
  if (claims.token_use !== 'access')
    throw forbidden('An access token is needed, not a token of another kind.');
  if (!groupsOf(claims['cognito:groups']).some((group) => rank(group) >= rank(role))) {
    throw forbidden(`This needs the group "${role}". Ask an administrator for it.`);
  }
  const actor = claims.email || claims.username;
  if (typeof actor !== 'string') throw forbidden('The access token does not say whose it is.');
  return actor;
};

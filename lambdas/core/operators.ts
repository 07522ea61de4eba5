import type { Role } from '../../contract/endpoint.ts';
import { CuevaultError } from './errors.ts';

/** The claims of an access token. */
export type Claims = Readonly<Record<string, unknown>>;

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

const forbidden = (sentence: string) => new CuevaultError('forbidden', sentence);

const rolesIn = (groups: unknown): Role[] =>
  Array.isArray(groups) ? ROLES.filter((role) => groups.includes(role)) : [];

const rank = (role: Role): number => ROLES.indexOf(role);

/**
 * Checks that these claims include a role, and returns who the operator is - the e-mail address, or else the name of the
 * account - and whether they are an administrator. Errors: `forbidden`.
 */
export const admitOperator = (claims: Claims, role: Role): { actor: string; isAdmin: boolean } => {
  if (claims.token_use !== 'access')
    throw forbidden('An access token is required, not another kind of token.');
  const roles = rolesIn(claims['cognito:groups']);
  if (!roles.some((each) => rank(each) >= rank(role))) {
    throw forbidden(`This requires the group "${role}". Ask an administrator to add you to it.`);
  }
  const actor = claims.email || claims.username;
  if (typeof actor !== 'string') throw forbidden('The access token does not identify an operator.');
  return { actor, isAdmin: roles.includes('admin') };
};

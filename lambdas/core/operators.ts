import type { Role } from '../../contract/endpoint.ts';
import { CuevaultError } from './errors.ts';

/** The claims of an access token, each as text, as the JWT authorizer passes them. */
export type Claims = Readonly<Record<string, unknown>>;

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

const isRole = (group: string): group is Role => (ROLES as readonly string[]).includes(group);

const forbidden = (sentence: string) => new CuevaultError('forbidden', sentence);

/**
 * The groups in the text `[admin editor]`. A space in it can separate two groups or be part of a group's name, so any
 * unknown name is rejected: `[not admin]` is not `admin`. Errors: `forbidden`.
 */
const groupsOf = (claim: unknown): Role[] => {
  const [, names = ''] = typeof claim === 'string' ? (/^\[(.*)\]$/s.exec(claim) ?? []) : [];
  const groups = names === '' ? [] : names.split(' ');
  if (groups.every(isRole)) return groups;
  throw forbidden(
    `Your account is in a group other than ${ROLES.join(', ')}. Ask an administrator to remove it from that group.`,
  );
};

const rank = (role: Role): number => ROLES.indexOf(role);

/**
 * Checks that these claims include a role, and returns who the operator is - the e-mail address, or else the name of the
 * account - and whether they are an administrator. Errors: `forbidden`.
 */
export const admitOperator = (claims: Claims, role: Role): { actor: string; isAdmin: boolean } => {
  if (claims.token_use !== 'access')
    throw forbidden('An access token is required, not another kind of token.');
  const groups = groupsOf(claims['cognito:groups']);
  if (!groups.some((group) => rank(group) >= rank(role))) {
    throw forbidden(`This requires the group "${role}". Ask an administrator to add you to it.`);
  }
  const actor = claims.email || claims.username;
  if (typeof actor !== 'string') throw forbidden('The access token does not identify an operator.');
  return { actor, isAdmin: groups.includes('admin') };
};

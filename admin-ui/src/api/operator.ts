import type { User } from 'oidc-client-ts';
import type { Role } from '../../../contract/endpoint.ts';

/** In ascending order. */
const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

export interface Operator {
  readonly email: string;
  /** The highest of the operator's groups; absent if the operator has none. */
  readonly role: Role | undefined;
}

/** Whether `role` includes `needed`. */
export const outranks = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

const claimsOf = (token: string): Record<string, unknown> => {
  const [, payload = ''] = token.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
};

/** Reads the operator from the tokens. This only decides what the UI shows; the service decides what is allowed. */
export const operatorOf = (user: User): Operator => {
  const claims = claimsOf(user.access_token);
  const groups = claims['cognito:groups'];
  return {
    email: user.profile.email ?? String(claims.email ?? claims.username ?? ''),
    role: ROLES.findLast((role) => Array.isArray(groups) && groups.includes(role)),
  };
};

import { PATHS } from '../../../contract/admin.ts';
import type { ResultOf } from '../../../contract/documentation.ts';
import type { Role } from '../../../contract/endpoint.ts';

/** In ascending order. */
const ROLES: readonly Role[] = ['viewer', 'editor', 'admin'];

export interface Operator {
  readonly email: string;
  /** Absent if whoever is signed in is no operator. */
  readonly role: Role | undefined;
}

/** Whether `role` includes `needed`. */
export const outranks = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);

/**
 * Asks the service who the operator of an access token is. This only decides what the UI shows; the service decides what
 * is allowed, with each call. Throws if the service does not answer.
 */
export const operatorOf = async (token: string, email = ''): Promise<Operator> => {
  const response = await fetch(PATHS.session, {
    cache: 'no-store',
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status === 403) return { email, role: undefined };
  if (!response.ok)
    throw new Error(`The service answered with status ${response.status}. Try again shortly.`);
  const { res } = (await response.json()) as { res: ResultOf<'session-get'> };
  return { email: res.email, role: res.group };
};

import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import { AuthProvider, useAuth } from 'react-oidc-context';
import type { Role } from '../../../contract/endpoint.ts';
import { type Operator, operatorOf, outranks } from './operator.ts';
import type { Session } from './session.ts';

const SessionContext = createContext<Session | undefined>(undefined);

/** Provides the session to the components below. */
export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <AuthProvider userManager={session.manager} skipSigninCallback>
    <SessionContext value={session}>{children}</SessionContext>
  </AuthProvider>
);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession outside of SessionProvider');
  return session;
};

/** Whether the session has ended and the operator must sign in again. */
export const useIsExpired = (): boolean => {
  const { onExpiry, isExpired } = useSession();
  return useSyncExternalStore(onExpiry, isExpired);
};

/** Who is signed in; undefined for the moment before it is known. */
export const useOperator = (): Operator | undefined => {
  const { user } = useAuth();
  return user ? operatorOf(user) : undefined;
};

/** What the signed-in operator may do: `can('editor')` is true for editors and administrators. */
export const useRole = (): { readonly role: Role | undefined; readonly can: (needed: Role) => boolean } => {
  const role = useOperator()?.role;
  return { role, can: (needed) => role !== undefined && outranks(role, needed) };
};

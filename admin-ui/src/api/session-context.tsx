import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { Role } from '../../../contract/endpoint.ts';
import { type Operator, outranks } from './operator.ts';
import type { Session } from './session.ts';

const SessionContext = createContext<Session | undefined>(undefined);

export const SessionProvider = ({ session, children }: { session: Session; children: ReactNode }) => (
  <SessionContext value={session}>{children}</SessionContext>
);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession outside of SessionProvider');
  return session;
};

/** Whether the session has ended and the operator must sign in again. */
export const useIsExpired = (): boolean => {
  const { subscribe, isExpired } = useSession();
  return useSyncExternalStore(subscribe, isExpired);
};

/** Who is signed in. */
export const useOperator = (): Operator => {
  const { subscribe, operator } = useSession();
  return useSyncExternalStore(subscribe, operator);
};

/** What the signed-in operator may do: `can('editor')` is true for editors and administrators. */
export const useRole = (): { readonly role: Role | undefined; readonly can: (needed: Role) => boolean } => {
  const { role } = useOperator();
  return { role, can: (needed) => role !== undefined && outranks(role, needed) };
};

import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { outranks, type Role } from '../../../contract/fields/access.ts';
import { readSession } from './client.ts';
import type { Session } from './session.ts';

export const SessionContext = createContext<Session | undefined>(undefined);

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('No session.');
  return session;
};

/** Whether the session has ended and the operator must sign in again. */
export const useIsExpired = (): boolean => {
  const { subscribe, isExpired } = useSession();
  return useSyncExternalStore(subscribe, isExpired);
};

/** Read again every minute: the role of an operator can change, and the vault be stopped, while nobody does anything. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  refetchInterval: 60_000,
  refetchOnMount: false,
  staleTime: 0,
});

/** Who is signed in. Whoever is no operator has no role, and `refusal` says why. */
export const useOperator = () => {
  const { email } = useSession();
  const { data } = useQuery(sessionQuery);
  return { email: data?.email ?? email, role: data?.group, refusal: data?.refusal };
};

/** Returns a function that says whether the operator may do what a role may: editors and administrators what an editor may. */
export const useCan = (): ((needed: Role) => boolean) => {
  const { role } = useOperator();
  return (needed) => role !== undefined && outranks(role, needed);
};

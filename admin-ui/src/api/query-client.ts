import { focusManager, QueryClient } from '@tanstack/react-query';
import { isTransient } from './api-error.ts';

const RETRIES = 2;

/** Tries a transient failure again twice, after a second and after two more. */
export const whenTransient = (failures: number, error: unknown): boolean =>
  failures < RETRIES && isTransient(error);

// Two windows side by side are both visible, so only the focus shows a switch between them.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  addEventListener('visibilitychange', listener);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('visibilitychange', listener);
    removeEventListener('focus', listener);
  };
});

/** The query cache. Offline detection is off, because the service can run on this machine. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      retry: whenTransient,
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../api/query-client.ts';
import type { Session } from '../api/session.ts';
import { SessionProvider } from '../api/session-context.tsx';
import { router } from './router.tsx';

/** Everything below a signed-in operator. */
export const App = ({ session }: { session: Session }) => (
  <SessionProvider session={session}>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </SessionProvider>
);

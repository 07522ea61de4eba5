import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import type { Session } from '../api/session.ts';
import { SessionProvider } from '../api/session-context.tsx';
import { announceDropped } from './dropped-search.ts';
import { router } from './router.tsx';
import { holdEscape } from './shell/hold-escape.ts';
import { StartFailure, WindowDone } from './start-failure.tsx';
import { theme, variables } from './theme.ts';

const show = (content: ReactNode): void => {
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        // Instead of the library's file of default variables, most of which the theme replaces.
        deduplicateCssVariables={false}
      >
        {content}
      </MantineProvider>
    </StrictMode>,
  );
};

/** Shows the app to a signed-in operator. */
export const showApp = (session: Session): void => {
  holdEscape(session);
  announceDropped();
  show(
    <SessionProvider session={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SessionProvider>,
  );
};

/** Shows that sign-in failed. */
export const showStartFailure = (error: unknown): void => show(<StartFailure error={error} />);

/** Shows that this window is no longer needed. */
export const showWindowDone = (): void => show(<WindowDone />);

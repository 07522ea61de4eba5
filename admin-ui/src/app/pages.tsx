import { Button, Center, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { messageOf } from '../api/api-error.ts';
import type { SessionState } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { type Session, signInWith } from '../api/session.ts';
import { SessionContext, sessionQuery } from '../api/session-context.tsx';
import { holdEnter } from '../api/use-action.ts';
import { router } from './router.tsx';
import { theme, variables } from './theme.ts';

/** What is shown instead of the app. */
const showAlone = (content: ReactNode): void =>
  show(
    <Center component="main" mih="100vh" p="lg">
      <Stack maw="28rem" gap="sm" align="flex-start">
        {content}
      </Stack>
    </Center>,
  );

/**
 * Keeps Escape from the dialogs behind while the session has ended. They listen on the window, so call this before
 * anything is shown.
 */
const holdEscape = ({ isExpired }: Session): void =>
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' && isExpired()) event.stopImmediatePropagation();
    },
    { capture: true },
  );

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

/** Loads the files of the screen of the address. */
export const loadScreen = () => router.preloadRoute({ to: location.pathname });

/** Shows the app. `state` is what the service said when the session opened. */
export const showApp = (session: Session, state: SessionState): void => {
  queryClient.setQueryData(sessionQuery.queryKey, state);
  holdEscape(session);
  holdEnter();
  show(
    <SessionContext value={session}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </SessionContext>,
  );
};

export const showStartFailure = (error: unknown): void =>
  showAlone(
    <>
      <Title order={1}>Sign-in failed</Title>
      <Text>{messageOf(error)}</Text>
      <Button onClick={() => location.assign('/')}>Try again</Button>
    </>,
  );

/** Asks how the operator signs in. */
export const showSignInMethods = (): void =>
  showAlone(
    <>
      <Title order={1}>Sign in to Cuevault</Title>
      <Button size="md" fullWidth onClick={() => signInWith('company')}>
        Sign in through your company
      </Button>
      <Button size="md" fullWidth variant="default" onClick={() => signInWith('password')}>
        Sign in with a password
      </Button>
    </>,
  );

/** Shows in a window for signing in again, which the browser does not allow to close, that it is no longer needed. */
export const showWindowDone = (): void =>
  showAlone(<Text>You are signed in. Close this window and continue in the other one.</Text>);

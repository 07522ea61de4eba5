import { Burger, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { lazyOr } from '../../api/lazy-import.ts';
import { useOperator } from '../../api/session-context.tsx';
import { CONTENT_ID } from '../../components/layout/page-title.tsx';
import { NoRole } from '../../components/states.tsx';
import { commands } from '../commands/commands-store.ts';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { useNarrowNavigation } from './use-narrow-navigation.ts';
import { useTitleFocus } from './use-title-focus.ts';

// The first screen does not wait for it. If it fails, input on the page must not be lost.
const Overlays = lazyOr<object>(
  async () => (await import('./overlays.tsx')).Overlays,
  (error) => () => <OverlaysFailure error={error} />,
);

const StoppedBanner = lazyOr<object>(
  async () => (await import('./overlays.tsx')).StoppedBanner,
  () => () => null,
);

const OverlaysFailure = ({ error }: { error: unknown }) => (
  <Text
    size="md"
    role="alert"
    pos="fixed"
    right="1rem"
    bottom="1rem"
    px="1rem"
    py="0.5rem"
    bg="var(--mantine-color-body)"
    bd="1px solid var(--cv-line)"
  >
    {messageOf(error)}
  </Text>
);

const NAVIGATION_ID = 'navigation';

/** The frame around every screen. */
export const Shell = () => {
  const { opened, open, close, onKeyDown, opener, closer, isOver, isAway } = useNarrowNavigation();
  const operator = useOperator();
  useTitleFocus();
  // Here and not in the palette, which may not be loaded yet when the keys are pressed.
  useHotkeys([['mod+K', commands.toggle]], [], true);
  return (
    <>
      <a href={`#${CONTENT_ID}`} className="cv-skip" inert={isOver}>
        Skip to the content
      </a>
      <header className={classes.header} inert={isOver}>
        <Burger
          ref={opener}
          opened={opened}
          onClick={open}
          size="sm"
          color="#ffffff"
          aria-label="Open the navigation"
          aria-expanded={opened}
          aria-controls={NAVIGATION_ID}
        />
        <Logo />
        <span className={classes.brand}>Cuevault</span>
      </header>
      <nav
        id={NAVIGATION_ID}
        className={classes.rail}
        data-opened={opened}
        aria-label="Screens"
        inert={isAway}
        onKeyDown={onKeyDown}
      >
        <Navigation opened={opened} onClose={close} closer={closer} />
      </nav>
      <main id={CONTENT_ID} className={classes.main} tabIndex={-1} inert={isOver}>
        {operator.role === undefined ? (
          <NoRole email={operator.email} />
        ) : (
          <>
            <Suspense>
              <StoppedBanner />
            </Suspense>
            <Outlet />
          </>
        )}
      </main>
      <Suspense>
        <Overlays />
      </Suspense>
    </>
  );
};

import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense } from 'react';
import { lazyImport } from '../../api/lazy-import.ts';
import { useOperator } from '../../api/session-context.tsx';
import { notifyFailure } from '../../components/dialogs/notify.tsx';
import { CONTENT_ID } from '../../components/layout/page-title.tsx';
import { NoRole } from '../../components/states.tsx';
import { commands } from '../commands/commands-store.ts';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';
import { useNarrowNavigation } from './use-narrow-navigation.ts';
import { useTitleFocus } from './use-title-focus.ts';

// If this fails, input on the page must not be lost.
const Commands = lazy<ComponentType>(async () => {
  try {
    return { default: (await lazyImport(() => import('../commands/commands.tsx'))).Commands };
  } catch (error) {
    notifyFailure(error);
    return { default: () => null };
  }
});

const NAVIGATION_ID = 'navigation';

/** The frame around every screen. */
export const Shell = () => {
  const { opened, open, close, onKeyDown, opener, closer, isOver, isAway } = useNarrowNavigation();
  const operator = useOperator();
  useTitleFocus();
  // Here and not in the palette, which may not be loaded yet when the keys are pressed.
  useHotkeys([['mod+K', commands.toggle]], [], true);
  return (
    <AppShell
      layout="alt"
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      header={{ height: 48, collapsed: false }}
      padding={0}
      classNames={{ header: classes.header ?? '', navbar: classes.rail ?? '', main: classes.main ?? '' }}
      withBorder={false}
      mode="fixed"
    >
      <a href={`#${CONTENT_ID}`} className="cv-skip" inert={isOver}>
        Skip to the content
      </a>
      <AppShell.Header hiddenFrom="sm" inert={isOver}>
        <Group h="100%" px="sm" gap="xs">
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
          <Text fw={600} c="#ffffff">
            Cuevault
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id={NAVIGATION_ID} aria-label="Screens" inert={isAway} onKeyDown={onKeyDown}>
        <Navigation opened={opened} onClose={close} closer={closer} />
      </AppShell.Navbar>
      <AppShell.Main id={CONTENT_ID} tabIndex={-1} inert={isOver}>
        {operator !== undefined &&
          (operator.role === undefined ? <NoRole email={operator.email} /> : <Outlet />)}
      </AppShell.Main>
      {operator?.role !== undefined && (
        <Suspense>
          <Commands />
        </Suspense>
      )}
    </AppShell>
  );
};

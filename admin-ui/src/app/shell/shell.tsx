import { Burger, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useDidUpdate, useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { lazyOr } from '../../api/lazy-import.ts';
import { sessionQuery, useCan, useIsExpired, useOperator } from '../../api/session-context.tsx';
import { Icon } from '../../components/icons.tsx';
import { CONTENT_ID, focusTitle } from '../../components/screen.tsx';
import { NoRole } from '../../components/states.tsx';
import { Palette } from '../commands/palette.tsx';
import { screensFor } from '../screens.ts';
import { MOD } from '../shortcuts/shortcuts.ts';
import { useShortcuts } from '../shortcuts/use-shortcuts.ts';
import type { UserMenuProps } from './overlays.tsx';
import classes from './shell.module.css';
import { UserButton } from './user-button.tsx';

/** The mark of Cuevault: a lamp that gives the cue. */
const Logo = () => (
  <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true">
    <rect x="1.5" y="1.5" width="29" height="29" rx="7" fill="none" stroke="#67a399" strokeWidth="1.5" />
    <circle cx="16" cy="13" r="6" fill="#e9bb57" />
    <path d="M16 19v7" stroke="#e9bb57" strokeWidth="4" strokeLinecap="round" />
  </svg>
);

/** Moves the focus to the title of each new screen, because the followed link may no longer exist. */
const useTitleFocus = (): void => {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) focusTitle();
      }),
    [router],
  );
};

const NARROW = '(width < 48em)';

/**
 * In narrow windows the navigation is either hidden (`isAway`) or covers the page (`isOver`). The focus moves to
 * `closer` when it opens and to `opener` when it closes.
 */
const useNarrowNavigation = () => {
  const [opened, { open, close }] = useDisclosure();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const { pathname } = useLocation();
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  const isOver = isNarrow && opened;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes whenever another screen is shown
  useEffect(close, [pathname]);
  useDidUpdate(() => (isOver ? closer : opener).current?.focus(), [isOver]);
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
    // Menus of the navigation are elsewhere in the page and close by themselves.
    if (key === 'Escape' && target instanceof Node && currentTarget.contains(target)) close();
  };
  return { opened, open, close, onKeyDown, opener, closer, isOver, isAway: isNarrow && !opened };
};

const needed = Promise.withResolvers<void>();

/** Loads what appears on top of every screen. The first press does so too: input never depends on a file that is gone. */
const loadOverlays = (): void => needed.resolve();

for (const input of ['pointerdown', 'keydown', 'click'])
  addEventListener(input, loadOverlays, { once: true, capture: true });

const overlays = async () => {
  await needed.promise;
  return import('./overlays.tsx');
};

/** Loads the overlays for what appears without a press. */
const useNeed = (): void => {
  const { data } = useQuery(sessionQuery);
  const isStopped = data?.environments?.environments.some(({ stopped }) => stopped !== null) === true;
  const isNeeded = useIsExpired() || isStopped;
  useEffect(() => {
    if (isNeeded) loadOverlays();
  }, [isNeeded]);
};

const UserMenu = lazyOr<UserMenuProps>(
  async () => (await overlays()).UserMenu,
  () => () => <UserButton />,
);

/** Opens as soon as it is loaded if it was pressed before. */
const LoadedUserMenu = () => {
  const [pressed, setPressed] = useState(false);
  const press = () => setPressed(true);
  return (
    // The menu may replace this button before the press ends, and then neither is clicked, so the press itself counts. It
    // is handled after its `mousedown`, which would close the menu.
    <Suspense fallback={<UserButton onPointerDown={() => setTimeout(press)} onClick={press} />}>
      <UserMenu defaultOpened={pressed} />
    </Suspense>
  );
};

// If it fails, input on the page must not be lost.
const Overlays = lazyOr<object>(
  async () => (await overlays()).Overlays,
  (error) => () => (
    <Text
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
  ),
);

const StoppedBanner = lazyOr<object>(
  async () => (await overlays()).StoppedBanner,
  () => () => null,
);

const NAVIGATION_ID = 'navigation';

export const Shell = () => {
  const { opened, open, close, onKeyDown, opener, closer, isOver, isAway } = useNarrowNavigation();
  const operator = useOperator();
  const can = useCan();
  useTitleFocus();
  useNeed();
  useShortcuts();
  const [isFinding, palette] = useDisclosure();
  const isExpired = useIsExpired();
  useHotkeys([['mod+K', palette.toggle]], [], true);
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
        <Group px="md" h={48} wrap="nowrap">
          <Burger
            ref={closer}
            opened={opened}
            onClick={close}
            hiddenFrom="sm"
            size="sm"
            color="#ffffff"
            aria-label="Close the navigation"
            aria-expanded={opened}
          />
          <Logo />
          <span className={classes.brand}>Cuevault</span>
        </Group>
        <UnstyledButton
          className={classes.search}
          onClick={palette.open}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Icon name="search" />
          <span>Go to…</span>
          <kbd>{MOD} K</kbd>
        </UnstyledButton>
        <Stack component="ul" gap={2} px="0.5rem" flex={1} className="cv-list">
          {screensFor(can).map(({ to, title, icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={classes.screen ?? ''}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                activeProps={{ 'aria-current': 'page' }}
              >
                <Icon name={icon} size={17} strokeWidth={1.6} />
                {title}
              </Link>
            </li>
          ))}
        </Stack>
        <LoadedUserMenu />
      </nav>
      <main id={CONTENT_ID} className={classes.main} tabIndex={-1} inert={isOver}>
        {operator.role === undefined ? (
          <NoRole email={operator.email} refusal={operator.refusal} />
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
      {isFinding && !isExpired && operator.role !== undefined && <Palette onClose={palette.close} />}
    </>
  );
};

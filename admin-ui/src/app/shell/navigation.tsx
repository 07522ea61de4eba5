import { Burger, Group, Stack, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type Ref, Suspense, useState } from 'react';
import { lazyOr } from '../../api/lazy-import.ts';
import { useRole } from '../../api/session-context.tsx';
import { commands } from '../commands/commands-store.ts';
import { screensFor } from '../screens.ts';
import { Logo } from './logo.tsx';
import classes from './navigation.module.css';
import { UserButton } from './user-button.tsx';
import type { UserMenuProps } from './user-menu.tsx';

// The first screen does not wait for it.
const UserMenu = lazyOr<UserMenuProps>(
  async () => (await import('./overlays.tsx')).UserMenu,
  () => () => <UserButton />,
);

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

interface NavigationProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The button that closes it in narrow windows. */
  readonly closer: Ref<HTMLButtonElement>;
}

/** The rail at the side: screens, search, and who is signed in. */
export const Navigation = ({ opened, onClose, closer }: NavigationProps) => (
  <div className={classes.rail}>
    <Group gap="xs" px="md" h={48} wrap="nowrap">
      <Burger
        ref={closer}
        opened={opened}
        onClick={onClose}
        hiddenFrom="sm"
        size="sm"
        color="#ffffff"
        aria-label="Close the navigation"
        aria-expanded={opened}
      />
      <Logo />
      <span className={classes.brand}>Cuevault</span>
    </Group>
    <UnstyledButton className={classes.search} onClick={commands.open} aria-keyshortcuts="Control+K Meta+K">
      <IconSearch size={15} aria-hidden />
      <span>Go to…</span>
      <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
    </UnstyledButton>
    <Stack component="ul" gap={2} px="0.5rem" flex={1} className="cv-list">
      {screensFor(useRole().can).map(({ to, title, icon: Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className={classes.screen ?? ''}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
          >
            <Icon size={17} stroke={1.6} aria-hidden />
            {title}
          </Link>
        </li>
      ))}
    </Stack>
    <LoadedUserMenu />
  </div>
);

/** Opens as soon as it is loaded if it was pressed before. */
const LoadedUserMenu = () => {
  const [pressed, setPressed] = useState(false);
  return (
    <Suspense fallback={<UserButton onClick={() => setPressed(true)} />}>
      <UserMenu defaultOpened={pressed} />
    </Suspense>
  );
};

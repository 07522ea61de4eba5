import { useMantineColorScheme } from '@mantine/core';
import { IconCopy, IconFileImport, IconMoon, IconPlus, IconSun, IconSunMoon } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useRole } from '../../api/session-context.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import type { Command } from './commands-list.tsx';
import { matches } from './use-found.ts';

const ID = /^\/(?:prompts|secrets)\/((?:prm|sec)_[^/]+)/;

const SCHEMES = [
  { scheme: 'light', label: 'Light appearance', icon: IconSun },
  { scheme: 'dark', label: 'Dark appearance', icon: IconMoon },
  { scheme: 'auto', label: 'Appearance of the system', icon: IconSunMoon },
] as const;

const copy = (id: string): void => {
  navigator.clipboard.writeText(id).then(() => notifyDone(`${id} is copied.`), notifyFailure);
};

/** What the command palette can do, apart from opening screens: only actions that match the search text. */
export const useActions = (typed: string): Command[] => {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { can } = useRole();
  const { setColorScheme } = useMantineColorScheme();
  const [, id] = ID.exec(pathname) ?? [];
  const create: Command[] = [
    {
      id: 'new-prompt',
      label: 'New prompt',
      icon: IconPlus,
      run: () => void navigate({ to: '/prompts/new' }),
    },
    {
      id: 'import-secrets',
      label: 'Import secrets',
      icon: IconFileImport,
      run: () => void navigate({ to: '/secrets/import' }),
    },
  ];
  const others: Command[] = SCHEMES.map(({ scheme, label, icon }) => ({
    id: `appearance-${scheme}`,
    label,
    icon,
    run: () => setColorScheme(scheme),
  }));
  const copies: Command[] =
    id === undefined
      ? []
      : [{ id: 'copy-id', label: 'Copy the id', description: id, icon: IconCopy, run: () => copy(id) }];
  return [...copies, ...(can('editor') ? create : []), ...others].filter(({ label }) =>
    matches(label, typed),
  );
};

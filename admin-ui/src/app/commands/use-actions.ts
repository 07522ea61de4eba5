import { useMantineColorScheme } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBell,
  IconCopy,
  IconFileImport,
  IconHandStop,
  IconKey,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconStack2,
  IconSun,
  IconSunMoon,
  IconTags,
  IconUserPlus,
  IconZoomQuestion,
  type TablerIcon,
} from '@tabler/icons-react';
import { type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import { useRole, useSession } from '../../api/session-context.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import { useEnvironments, useOf } from '../../components/environments.tsx';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { openInvitation } from '../../features/operators/invitation.tsx';
import { openNewSecret } from '../../features/secrets/value-dialogs.tsx';
import { confirmResume, confirmStop } from '../../features/secrets/vault/serving.tsx';
import { openShortcuts } from '../shortcuts/use-shortcuts.tsx';
import type { Command } from './commands-list.tsx';
import { matches } from './typed.ts';

const SCHEMES = [
  { scheme: 'light', label: 'Light appearance', icon: IconSun },
  { scheme: 'dark', label: 'Dark appearance', icon: IconMoon },
  { scheme: 'auto', label: 'Appearance of the system', icon: IconSunMoon },
] as const;

/** What is looked for by this word is in several places. */
const SETTINGS = 'settings';

type ToScreen = Extract<LinkProps['to'], `/${string}`>;

const copy = (id: string): void => {
  navigator.clipboard.writeText(id).then(() => notifyDone(`${id} is copied.`), notifyFailure);
};

/** What the command palette can do, apart from opening screens: only actions that match the search text. */
export const useActions = (typed: string): Command[] => {
  const navigate = useNavigate();
  const { promptId, secretId } = useParams({ strict: false });
  const { can } = useRole();
  const session = useSession();
  const environments = useEnvironments();
  const of = useOf();
  const { setColorScheme } = useMantineColorScheme();
  const shown = promptId ?? secretId;
  const go = (id: string, label: string, icon: TablerIcon, to: ToScreen): Command => ({
    id,
    label,
    icon,
    run: () => void navigate({ to }),
  });
  const create: Command[] = [
    go('new-prompt', 'New prompt', IconPlus, '/prompts/new'),
    go('move-labels', 'Move labels of many prompts', IconTags, '/prompts/labels'),
    {
      ...go('new-secret', 'New secret', IconPlus, '/secrets'),
      run: () => void navigate({ to: '/secrets' }).then(() => openNewSecret()),
    },
    go('roll-back-prompt', 'Roll back a prompt: what went live', IconArrowBackUp, '/prompts/live'),
    {
      ...go('drafts', 'Prompts with a draft', IconPencil, '/prompts'),
      run: () => void navigate({ to: '/prompts', search: { draft: 'yes' } }),
    },
    go('rotate-secret', 'Rotate or roll back a secret', IconArrowBackUp, '/secrets'),
    go('import-secrets', 'Import secrets', IconFileImport, '/secrets/import'),
  ];
  const administration: Command[] = [
    ...environments.map(({ name, stopped }) =>
      stopped
        ? {
            id: `resume-vault:${name}`,
            label: `Resume serving secrets${of(name)} (stopped vault)`,
            icon: IconPlayerPlay,
            run: () => confirmResume(name),
          }
        : {
            id: `stop-vault:${name}`,
            label: `Stop serving secrets${of(name)} (vault)`,
            icon: IconHandStop,
            run: () => confirmStop(name),
          },
    ),
    go('who-has', 'Who has a value that has leaked?', IconZoomQuestion, '/secrets/who-has'),
    { ...go('environments', 'Add or order environments', IconStack2, '/vault'), words: SETTINGS },
    { ...go('webhook', 'Where events are sent', IconBell, '/notifications'), words: `${SETTINGS} webhook` },
    go('restore-vault', 'Vault: roll back all secrets, rotate the key pair', IconArrowBackUp, '/vault'),
    {
      id: 'invite',
      label: 'Invite an operator',
      icon: IconUserPlus,
      run: () => void navigate({ to: '/operators' }).then(openInvitation),
    },
    {
      id: 'revoke-key',
      label: 'Revoke or rotate an API key',
      icon: IconKey,
      run: () => void navigate({ to: '/api-keys', search: { status: 'active' } }),
    },
    {
      id: 'new-key',
      label: 'New API key',
      icon: IconPlus,
      run: () => void navigate({ to: '/api-keys' }).then(() => openNewKey()),
    },
  ];
  const shortcuts: Command = {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    words: SETTINGS,
    icon: IconKeyboard,
    run: openShortcuts,
  };
  const signOut: Command = {
    id: 'sign-out',
    label: 'Sign out',
    icon: IconLogout,
    run: () => void session.signOut(),
  };
  const schemes: Command[] = SCHEMES.map(({ scheme, label, icon }) => ({
    id: `appearance-${scheme}`,
    label,
    words: SETTINGS,
    icon,
    run: () => setColorScheme(scheme),
  }));
  const copies: Command[] =
    shown === undefined
      ? []
      : [{ id: 'copy-id', label: 'Copy the id', description: shown, icon: IconCopy, run: () => copy(shown) }];
  return [
    ...copies,
    ...(can('editor') ? create : []),
    ...(can('admin') ? administration : []),
    ...schemes,
    shortcuts,
    signOut,
  ].filter(({ label, words = '' }) => matches(`${label} ${words}`, typed));
};

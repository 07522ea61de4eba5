import { useMantineColorScheme } from '@mantine/core';
import { type NavigateOptions, useNavigate, useParams } from '@tanstack/react-router';
import { useRole, useSession } from '../../api/session-context.tsx';
import { notifyDone, notifyFailure } from '../../components/dialogs/notify.tsx';
import { useEnvironments, useOf } from '../../components/environments.tsx';
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
} from '../../components/icons.tsx';
import { openNewKey } from '../../features/api-keys/new-key-dialog.tsx';
import { openInvitation } from '../../features/operators/invite-form.tsx';
import { openNewSecret } from '../../features/secrets/dialogs.tsx';
import { confirmResume, confirmStop } from '../../features/secrets/vault/serving.tsx';
import { openShortcuts } from '../shortcuts/use-shortcuts.ts';
import { type Command, command } from './commands-list.tsx';
import { matches } from './typed.ts';

const SCHEMES = [
  { scheme: 'light', label: 'Light appearance', icon: IconSun },
  { scheme: 'dark', label: 'Dark appearance', icon: IconMoon },
  { scheme: 'auto', label: 'Appearance of the system', icon: IconSunMoon },
] as const;

/** What is looked for by this word is in several places. */
const SETTINGS = { words: 'settings' };

const copy = (id: string) =>
  navigator.clipboard.writeText(id).then(() => notifyDone(`${id} is copied.`), notifyFailure);

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
  const go = (options: NavigateOptions) => () => navigate(options);
  const secrets = go({ to: '/secrets' });
  const vault = go({ to: '/vault' });
  const create = [
    command('new-prompt', 'New prompt', IconPlus, go({ to: '/prompts/new' })),
    command('move-labels', 'Move labels of many prompts', IconTags, go({ to: '/prompts/labels' })),
    command('new-secret', 'New secret', IconPlus, () => secrets().then(() => openNewSecret())),
    command(
      'roll-back-prompt',
      'Roll back a prompt: what went live',
      IconArrowBackUp,
      go({ to: '/prompts/live' }),
    ),
    command('drafts', 'Prompts with a draft', IconPencil, go({ to: '/prompts', search: { draft: 'yes' } })),
    command('rotate-secret', 'Rotate or roll back a secret', IconArrowBackUp, secrets),
    command('import-secrets', 'Import secrets', IconFileImport, go({ to: '/secrets/import' })),
  ];
  const serving = environments.map(({ name, stopped }) => {
    const label = `serving secrets${of(name)}`;
    return stopped
      ? command(`resume-vault:${name}`, `Resume ${label} (stopped vault)`, IconPlayerPlay, () =>
          confirmResume(name),
        )
      : command(`stop-vault:${name}`, `Stop ${label} (vault)`, IconHandStop, () => confirmStop(name));
  });
  const invite = () => navigate({ to: '/operators' }).then(openInvitation);
  const activeKeys = go({ to: '/api-keys', search: { status: 'active' } });
  const newKey = () => navigate({ to: '/api-keys' }).then(() => openNewKey());
  const administration = [
    ...serving,
    command('who-has', 'Who has a value that has leaked?', IconZoomQuestion, go({ to: '/secrets/who-has' })),
    command('environments', 'Add or order environments', IconStack2, vault, SETTINGS),
    command('webhook', 'Where events are sent', IconBell, go({ to: '/notifications' }), {
      words: 'settings webhook',
    }),
    command('restore-vault', 'Vault: roll back all secrets, rotate the key pair', IconArrowBackUp, vault),
    command('invite', 'Invite an operator', IconUserPlus, invite),
    command('revoke-key', 'Revoke or rotate an API key', IconKey, activeKeys),
    command('new-key', 'New API key', IconPlus, newKey),
  ];
  return [
    ...(shown
      ? [command('copy-id', 'Copy the id', IconCopy, () => copy(shown), { description: shown })]
      : []),
    ...(can('editor') ? create : []),
    ...(can('admin') ? administration : []),
    ...SCHEMES.map(({ scheme, label, icon }) =>
      command(`appearance-${scheme}`, label, icon, () => setColorScheme(scheme), SETTINGS),
    ),
    command('shortcuts', 'Keyboard shortcuts', IconKeyboard, openShortcuts, SETTINGS),
    command('sign-out', 'Sign out', IconLogout, session.signOut),
  ].filter(({ label, words = '' }) => matches(`${label} ${words}`, typed));
};

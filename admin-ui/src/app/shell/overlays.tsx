import { Button, Group, Menu, Modal, Text, useMantineColorScheme } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { messageOf } from '../../api/api-error.ts';
import { mayLeave } from '../../api/leaving.ts';
import { useIsExpired, useOperator, useSession } from '../../api/session-context.tsx';
import { closeDialog, DialogContext, forgetClosed, useShown } from '../../components/dialogs.tsx';
import { Icon } from '../../components/icons.tsx';
import { focusTitle } from '../../components/screen.tsx';
import { openShortcuts } from '../shortcuts/use-shortcuts.ts';
import { UserButton } from './user-button.tsx';

const SCHEMES = [
  { value: 'auto', title: 'As the system' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
] as const;

export interface UserMenuProps {
  /** Whether it is open at first. */
  defaultOpened: boolean;
}

export const UserMenu = ({ defaultOpened }: UserMenuProps) => {
  const session = useSession();
  const operator = useOperator();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const others = (session.config.operators ?? []).filter((email) => email !== operator.email);
  return (
    <Menu defaultOpened={defaultOpened} position="top-start" width={200}>
      <Menu.Target>
        <UserButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="xs">{operator.email}</Text>
        </Menu.Label>
        <Menu.Divider />
        {others.length > 0 && (
          <>
            <Menu.Label>Continue as</Menu.Label>
            {others.map((email) => (
              <Menu.Item key={email} onClick={() => void session.continueAs(email)}>
                {email}
              </Menu.Item>
            ))}
            <Menu.Divider />
          </>
        )}
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(({ value, title }) => (
          <Menu.Item
            key={value}
            onClick={() => setColorScheme(value)}
            aria-current={colorScheme === value}
            rightSection={colorScheme === value ? <Icon name="check" /> : null}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={openShortcuts}>Keyboard shortcuts</Menu.Item>
        <Menu.Item onClick={() => void session.signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

// The dialog returns it too, but only to what is still there.
const returnFocus = (opener: Element): void => {
  if (document.activeElement !== document.body) return;
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else focusTitle();
};

// Not in the file of `openDialog`, which the first screens load.
const OpenDialog = () => {
  const router = useRouter();
  const now = useShown();
  useEffect(
    () => router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && closeDialog()),
    [router],
  );
  const opener = now?.opener;
  useEffect(() => (opener ? () => returnFocus(opener) : undefined), [opener]);
  const { content, holdsInput = false, ...dialog } = now?.dialog ?? { title: '', content: null };
  const close = () => closeDialog(now?.id);
  const cancel = holdsInput ? () => void mayLeave(now?.id).then((may) => may && close()) : close;
  return (
    <Modal
      {...dialog}
      opened={now?.opened === true}
      onClose={cancel}
      onExitTransitionEnd={forgetClosed}
      closeOnClickOutside={!holdsInput}
      closeOnEscape={!holdsInput}
    >
      <DialogContext key={now?.id} value={{ id: now?.id, close, cancel }}>
        {content}
      </DialogContext>
    </Modal>
  );
};

/** Asks to sign in again, on top of the current screen, which keeps its state; waiting calls continue afterwards. */
const SessionExpired = () => {
  const session = useSession();
  const expired = useIsExpired();
  const [problem, setProblem] = useState<string>();
  const signIn = () => {
    setProblem(undefined);
    session.signInAgain().catch((error: unknown) => setProblem(messageOf(error)));
  };
  return (
    <Modal
      opened={expired}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      zIndex={500}
    >
      <Text>Sign in again to continue. Your input stays here and is saved afterwards.</Text>
      {problem && (
        <Text c="brick" mt="sm" role="alert">
          {problem}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button onClick={signIn} data-autofocus>
          Sign in again
        </Button>
      </Group>
    </Modal>
  );
};

// In the same file, which every screen loads.
export { StoppedBanner } from '../../features/secrets/serving.tsx';

/** What appears on top of every screen. */
export const Overlays = () => (
  <>
    <Notifications position="bottom-center" />
    <OpenDialog />
    <SessionExpired />
  </>
);

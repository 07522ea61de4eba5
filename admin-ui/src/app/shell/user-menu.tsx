import { Menu, Text, useMantineColorScheme } from '@mantine/core';
import { useOperator, useSession } from '../../api/session-context.tsx';
import { IconCheck, IconKeyboard, IconLogout } from '../../components/icons.tsx';
import { openShortcuts } from '../shortcuts/use-shortcuts.ts';
import { UserButton } from './user-button.tsx';

const SCHEMES = [
  { value: 'auto', title: 'As the system' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
] as const;

export interface UserMenuProps {
  /** Whether it is open at first. */
  readonly defaultOpened: boolean;
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
          <Text size="xs" className="cv-break">
            {operator.email}
          </Text>
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
            rightSection={colorScheme === value ? <IconCheck size={14} /> : null}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={openShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={() => void session.signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

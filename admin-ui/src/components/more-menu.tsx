import { ActionIcon, type ActionIconProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Native } from './basics.tsx';
import { IconDots } from './icons.tsx';

/** Why items of a menu are disabled. */
export const MenuRefusal = Menu.Label.withProps({ maw: 260, style: { whiteSpace: 'normal' } });

/** An item that leads to another screen. */
export const MenuLink = createLink((props: MenuItemProps & Native<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));

interface MoreMenuProps extends Pick<ActionIconProps, 'variant' | 'size'> {
  /** What its items are, such as "Actions for version 1.0.0". */
  label: string;
  children: ReactNode;
}

export const MoreMenu = ({ label, children, ...look }: MoreMenuProps) => (
  <Menu>
    <Menu.Target>
      <ActionIcon {...look} aria-label={label}>
        <IconDots />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);

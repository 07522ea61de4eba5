import { ActionIcon, type ActionIconProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Native } from './basics.tsx';
import { Icon } from './icons.tsx';

/** An item that leads to another screen. */
export const MenuLink = createLink((props: MenuItemProps & Native<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
));

/** What each item does, by its text; null: it is disabled; false: it is not there. */
export type MenuItems = Readonly<Record<string, (() => unknown) | null | false | undefined>>;

interface MoreMenuProps extends Pick<ActionIconProps, 'variant' | 'size'> {
  /** What its items are, such as "Actions for version 1.0.0". */
  label: string;
  items: MenuItems;
  /** Those that remove something, after the others. */
  dangers?: MenuItems;
  /** Why items are disabled. */
  refusal?: string | false | undefined;
  /** Items that lead to another screen. */
  children?: ReactNode;
}

export const MoreMenu = ({ label, items, dangers = {}, refusal, children, ...look }: MoreMenuProps) => (
  <Menu>
    <Menu.Target>
      <ActionIcon {...look} aria-label={label}>
        <Icon name="dots" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {refusal && (
        <Menu.Label maw={260} style={{ whiteSpace: 'normal' }}>
          {refusal}
        </Menu.Label>
      )}
      {Object.entries({ ...items, ...dangers }).map(
        ([text, act]) =>
          (act || act === null) && (
            <Menu.Item
              key={text}
              {...(text in dangers && { color: 'var(--mantine-color-error)' })}
              disabled={act === null}
              onClick={() => void act?.()}
            >
              {text}
            </Menu.Item>
          ),
      )}
      {children}
    </Menu.Dropdown>
  </Menu>
);

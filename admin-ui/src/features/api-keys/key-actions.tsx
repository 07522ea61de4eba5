import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconRefresh } from '@tabler/icons-react';
import type { KeyRow } from './key-queries.ts';

/** What an administrator can do with a key. */
export type KeyAction = 'edit' | 'rotate' | 'revoke';

export interface KeyActionsProps {
  readonly row: KeyRow;
  readonly onAction: (action: KeyAction, row: KeyRow) => void;
}

/** The actions of a row. An expired key can only be replaced or revoked. */
export const KeyActions = ({ row, onAction }: KeyActionsProps) => {
  const named = `${row.name} (${row.keyId})`;
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => onAction('revoke', row)}
        aria-label={`Revoke ${named}`}
      >
        Revoke
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={24} aria-label={`More actions for ${named}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {row.status === 'active' && (
            <Menu.Item
              leftSection={<IconPencil size={15} aria-hidden />}
              onClick={() => onAction('edit', row)}
            >
              Rename or narrow
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconRefresh size={15} aria-hidden />}
            onClick={() => onAction('rotate', row)}
          >
            Rotate: create a successor
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
};

import { Group, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { IconPencil, IconRefresh } from '../../components/icons.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import { RowButton } from '../../components/small.tsx';
import { EditKeyForm } from './edit-key-form.tsx';
import type { KeyRow } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';
import { confirmRevocation } from './revoke-dialog.tsx';

/** The actions of a row. An expired key can only be replaced or revoked. */
export const KeyActions = ({ row }: { readonly row: KeyRow }) => {
  const navigate = useNavigate();
  const open = (keyId: string) => void navigate({ to: '/api-keys/$keyId', params: { keyId } });
  const named = `${row.name} (${row.keyId})`;
  return (
    <Group gap={4} wrap="nowrap">
      <RowButton onClick={() => confirmRevocation(row, open)} aria-label={`Revoke ${named}`}>
        Revoke
      </RowButton>
      <MoreMenu size={24} label={`More actions for ${named}`}>
        {row.status === 'active' && (
          <Menu.Item
            leftSection={<IconPencil size={15} />}
            onClick={() => openDialog({ title: 'Edit the API key', content: <EditKeyForm apiKey={row} /> })}
          >
            Edit name and access
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => openNewKey(row)}>
          Rotate: create a successor
        </Menu.Item>
      </MoreMenu>
    </Group>
  );
};

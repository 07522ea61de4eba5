import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { openDialog } from '../../components/dialogs/dialog.tsx';
import { IconKeyOff, IconPencil, IconRefresh } from '../../components/icons.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import { EditKeyForm } from './edit-key-form.tsx';
import type { KeyRow } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';
import { confirmRevocation } from './revoke-dialog.tsx';

/** The actions of a key, in a menu. An expired key can only be replaced or revoked, a revoked one neither. */
export const KeyActions = ({ row }: { readonly row: KeyRow }) => {
  const navigate = useNavigate();
  const open = (keyId: string) => void navigate({ to: '/api-keys/$keyId', params: { keyId } });
  if (row.status === 'revoked') return null;
  return (
    <MoreMenu size={24} label={`More actions for ${row.name} (${row.keyId})`}>
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
      <Menu.Item
        color="var(--mantine-color-error)"
        leftSection={<IconKeyOff size={15} />}
        onClick={() => confirmRevocation(row, open)}
      >
        Revoke
      </Menu.Item>
    </MoreMenu>
  );
};

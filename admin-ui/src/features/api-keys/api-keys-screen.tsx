import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useRole } from '../../api/session-context.tsx';
import { foundOf } from '../../components/count.ts';
import { Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { NEW_CONTROL, useNewDialog } from '../../components/new-entry.ts';
import { Notice } from '../../components/states.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { ListBody, nextPage, pagesOf } from '../../components/tables/list-body.tsx';
import { keyColumns } from './api-keys-columns.tsx';
import { ApiKeysFilter } from './api-keys-filter.tsx';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { FirstKey } from './first-key.tsx';
import type { KeyAction } from './key-actions.tsx';
import { type KeyRow, keyListQuery } from './key-queries.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';

const route = getRouteApi('/api-keys');

/** All API keys: permissions, creator, last use. */
export const ApiKeysScreen = () => {
  const filter = route.useSearch();
  const { can } = useRole();
  const list = useInfiniteQuery(keyListQuery(filter));
  const { opened, open, close } = useNewDialog();
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = Boolean(filter.q || filter.status);
  const rows = pages.flatMap(({ keys }) => keys);
  return (
    <Screen
      title="API keys"
      subtitle={first && <span role="status">{foundOf(first.total, 'API key', isFiltered)}</span>}
      actions={
        can('admin') && (
          <Button size="xs" onClick={open} {...NEW_CONTROL} leftSection={<IconPlus size={15} aria-hidden />}>
            New API key
          </Button>
        )
      }
    >
      {(isFiltered || first?.total !== 0) && <ApiKeysFilter />}
      <ListBody
        list={list}
        isEmpty={rows.length === 0}
        empty={isFiltered ? <NothingFound /> : <FirstKey onAdd={open} />}
      >
        <KeysTable rows={rows} onEnd={nextPage(list)} />
      </ListBody>
      {can('admin') && <NewKeyDialog opened={opened} onClose={close} />}
    </Screen>
  );
};

const NothingFound = () => (
  <Notice title="No matching API keys">
    <TextLink to="/api-keys">Show all API keys</TextLink>
  </Notice>
);

const KeysTable = ({ rows, onEnd }: { rows: readonly KeyRow[]; onEnd: (() => void) | undefined }) => {
  const { can } = useRole();
  const [chosen, setChosen] = useState<{ action: KeyAction; row: KeyRow }>();
  const isAdmin = can('admin');
  const columns = useMemo(
    () => keyColumns(isAdmin ? (action, row) => setChosen({ action, row }) : undefined),
    [isAdmin],
  );
  const of = (action: KeyAction) => (chosen?.action === action ? chosen.row : undefined);
  const [edited, rotated, revoked] = [of('edit'), of('rotate'), of('revoke')];
  const close = () => setChosen(undefined);
  return (
    <>
      <DataTable label="API keys" columns={columns} rows={rows} rowKey={({ keyId }) => keyId} onEnd={onEnd} />
      {edited && <EditKeyDialog apiKey={edited} onClose={close} />}
      {rotated && <NewKeyDialog opened replaces={rotated} onClose={close} />}
      {revoked && <RevokeDialog apiKey={revoked} onClose={close} />}
    </>
  );
};

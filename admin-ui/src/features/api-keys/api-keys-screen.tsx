import { Button, List, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../api/session-context.tsx';
import { StoppedMark } from '../../components/environments.tsx';
import { NEW_CONTROL } from '../../components/layout/screen.tsx';
import { Notice } from '../../components/states.tsx';
import { DataTable, pagesOf } from '../../components/tables/data-table.tsx';
import { ListScreen } from '../../components/tables/list-screen.tsx';
import { keyColumns } from './api-keys-columns.tsx';
import { keyListQuery } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';

const FirstKey = () => {
  const { can } = useRole();
  return (
    <Notice title="One key for each application">
      <Text>
        An application sends an API key with every call. It can read what the key allows, nothing else.
      </Text>
      <List spacing={4}>
        <List.Item>
          A key reads prompts, secrets, or both. You can limit it to certain prompts, and to secrets with
          certain tags.
        </List.Item>
        <List.Item>You see the key once, when it is created. Only its digest is stored.</List.Item>
        <List.Item>Revoking a key takes effect with the next request.</List.Item>
      </List>
      {can('admin') ? (
        <Button onClick={() => openNewKey()}>Create the first API key</Button>
      ) : (
        <Text c="dimmed">Administrators can create API keys.</Text>
      )}
    </Notice>
  );
};

const STATUS = {
  name: 'status',
  label: 'Status',
  options: [
    { value: 'active', label: 'Active' },
    { value: 'expired', label: 'Expired' },
    { value: 'revoked', label: 'Revoked' },
  ],
} as const;

const route = getRouteApi('/api-keys');

export const ApiKeysScreen = () => {
  const { can } = useRole();
  const list = useInfiniteQuery(keyListQuery(route.useSearch()));
  const pages = pagesOf(list);
  const rows = pages.flatMap(({ keys }) => keys);
  return (
    <ListScreen
      title="API keys"
      one="API key"
      list={list}
      total={pages[0]?.total}
      isEmpty={rows.length === 0}
      beside={<StoppedMark />}
      actions={
        can('admin') && (
          <Button onClick={() => openNewKey()} {...NEW_CONTROL}>
            New API key
          </Button>
        )
      }
      search="Search names, ids and tags"
      filters={[STATUS]}
      first={<FirstKey />}
    >
      <DataTable
        label="API keys"
        columns={keyColumns(can('admin'))}
        rows={rows}
        rowKey={({ keyId }) => keyId}
        sort={{ by: 'created', order: 'desc' }}
        list={list}
      />
    </ListScreen>
  );
};

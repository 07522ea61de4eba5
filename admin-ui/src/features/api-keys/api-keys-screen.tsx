import { Button, Group, List, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../api/session-context.tsx';
import { foundOf } from '../../components/count.ts';
import { StoppedMark } from '../../components/environments.tsx';
import { IconPlus } from '../../components/icons.tsx';
import { NEW_CONTROL, Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { Notice } from '../../components/states.tsx';
import { ListTable } from '../../components/tables/data-table.tsx';
import { Choice, SearchInput, useSorting } from '../../components/tables/filters.tsx';
import { pagesOf } from '../../components/tables/list-body.tsx';
import { keyColumns } from './api-keys-columns.tsx';
import { keyListQuery } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';

const FirstKey = () => {
  const { can } = useRole();
  return (
    <Notice title="One key for each application">
      <Text size="md">
        An application sends an API key with every call. It can read what the key allows, nothing else.
      </Text>
      <List size="md" spacing={4}>
        <List.Item>
          A key reads prompts, secrets, or both. You can limit it to certain prompts, and to secrets with
          certain tags.
        </List.Item>
        <List.Item>You see the key once, when it is created. Only its digest is stored.</List.Item>
        <List.Item>Revoking a key takes effect with the next request.</List.Item>
      </List>
      {can('admin') ? (
        <Button size="sm" onClick={() => openNewKey()} leftSection={<IconPlus size={16} />}>
          Create the first API key
        </Button>
      ) : (
        <Text size="md" c="dimmed">
          Administrators can create API keys.
        </Text>
      )}
    </Notice>
  );
};

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'expired', label: 'Expired' },
  { value: 'revoked', label: 'Revoked' },
];

const route = getRouteApi('/api-keys');

export const ApiKeysScreen = () => {
  const filter = route.useSearch();
  const { can } = useRole();
  const list = useInfiniteQuery(keyListQuery(filter));
  const columns = keyColumns(can('admin'));
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = Boolean(filter.q || filter.status);
  const rows = pages.flatMap(({ keys }) => keys);
  return (
    <Screen
      title="API keys"
      beside={<StoppedMark />}
      subtitle={first && <span role="status">{foundOf(first.total, 'API key', isFiltered)}</span>}
      actions={
        can('admin') && (
          <Button onClick={() => openNewKey()} {...NEW_CONTROL}>
            New API key
          </Button>
        )
      }
    >
      {(isFiltered || first?.total !== 0) && (
        <Group gap="xs" mb="sm">
          <SearchInput name="q" label="Search names, ids and tags" />
          <Choice name="status" label="Status" options={STATUSES} />
        </Group>
      )}
      <ListTable
        label="API keys"
        columns={columns}
        rows={rows}
        rowKey={({ keyId }) => keyId}
        {...useSorting({ by: 'created', order: 'desc' })}
        list={list}
        empty={isFiltered ? NOTHING_FOUND : <FirstKey />}
      />
    </Screen>
  );
};

const NOTHING_FOUND = (
  <Notice title="No matching API keys">
    <TextLink to="/api-keys">Show all API keys</TextLink>
  </Notice>
);

import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../api/session-context.tsx';
import { foundOf } from '../../components/count.ts';
import { NEW_CONTROL, Screen } from '../../components/layout/screen.tsx';
import { TextLink } from '../../components/link.tsx';
import { Notice } from '../../components/states.tsx';
import { StoppedMark } from '../../components/stopped-mark.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { useSorting } from '../../components/tables/filters.tsx';
import { ListBody, pagesOf } from '../../components/tables/list-body.tsx';
import { keyColumns } from './api-keys-columns.tsx';
import { ApiKeysFilter } from './api-keys-filter.tsx';
import { FirstKey } from './first-key.tsx';
import { keyListQuery } from './key-queries.ts';
import { openNewKey } from './new-key-dialog.tsx';

const route = getRouteApi('/api-keys');

/** All API keys: permissions, creator, last use. */
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
          <Button
            onClick={() => openNewKey()}
            {...NEW_CONTROL}
            leftSection={<IconPlus size={15} aria-hidden />}
          >
            New API key
          </Button>
        )
      }
    >
      {(isFiltered || first?.total !== 0) && <ApiKeysFilter />}
      <ListBody list={list} isEmpty={rows.length === 0} empty={isFiltered ? <NothingFound /> : <FirstKey />}>
        <DataTable
          label="API keys"
          columns={columns}
          rows={rows}
          rowKey={({ keyId }) => keyId}
          {...useSorting({ by: 'created', order: 'desc' })}
          list={list}
        />
      </ListBody>
    </Screen>
  );
};

const NothingFound = () => (
  <Notice title="No matching API keys">
    <TextLink to="/api-keys">Show all API keys</TextLink>
  </Notice>
);

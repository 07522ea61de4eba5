import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Panel } from '../../../components/layout/panel.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { ListEnd, nextPage, pagesOf } from '../../../components/tables/list-end.tsx';
import { type AccessFilter, accessesQuery, readAllAccesses } from './access-queries.ts';
import { ACCESS_COLUMNS, csvRow } from './accesses-columns.tsx';

interface AccessesPanelProps {
  readonly promptId: string;
  readonly name: string;
  readonly filter: AccessFilter;
}

/** The access history: each fetch with key, version, source and metadata. */
export const AccessesPanel = ({ promptId, name, filter }: AccessesPanelProps) => {
  const list = useInfiniteQuery(accessesQuery(promptId, filter));
  const rows = pagesOf(list).flatMap(({ accesses }) => accesses);
  return (
    <Panel
      title="Access history"
      actions={
        <CsvButton
          fileName={`${name} accesses.csv`}
          read={async (onCount, signal) =>
            (await readAllAccesses(promptId, filter, onCount, signal)).map(csvRow)
          }
        />
      }
    >
      {list.isPending && <Loading />}
      {list.isError && rows.length === 0 && (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && rows.length === 0 && !list.hasNextPage && (
        <Text c="dimmed" py="md">
          No matching fetches.
        </Text>
      )}
      {rows.length > 0 && (
        <DataTable
          label="Access history"
          columns={ACCESS_COLUMNS}
          rows={rows}
          rowKey={({ requestId, time }) => time + requestId}
          onEnd={nextPage(list)}
        />
      )}
      <ListEnd list={list} isEmpty={rows.length === 0} />
    </Panel>
  );
};

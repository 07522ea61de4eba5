import { Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Panel } from '../../../components/layout/panel.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { ListBody, nextPage, pagesOf } from '../../../components/tables/list-body.tsx';
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
      <ListBody list={list} isEmpty={rows.length === 0} empty={<NothingFound />}>
        <DataTable
          label="Access history"
          columns={ACCESS_COLUMNS}
          rows={rows}
          rowKey={({ requestId, time }) => time + requestId}
          onEnd={nextPage(list)}
        />
      </ListBody>
    </Panel>
  );
};

const NothingFound = () => (
  <Text c="dimmed" py="md">
    No matching fetches.
  </Text>
);

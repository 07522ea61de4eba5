import { Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../../../components/layout/panel.tsx';
import { ErrorState, Loading } from '../../../components/states.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { Choice, DayInput, narrowed } from '../../../components/tables/filters.tsx';
import { ListEnd, nextPage, pagesOf } from '../../../components/tables/list-end.tsx';
import type { Usage } from '../prompt-queries.ts';
import { type AccessFilter, accessesQuery, readAllAccesses } from './access-queries.ts';
import { ACCESS_COLUMNS, csvRow } from './accesses-columns.tsx';

const route = getRouteApi('/prompts/$promptId/usage');

interface AccessesPanelProps {
  readonly promptId: string;
  readonly name: string;
  readonly usage: Usage;
}

/** The access history: each fetch with key, version, source and metadata. */
export const AccessesPanel = ({ promptId, name, usage }: AccessesPanelProps) => {
  const { days: _, ...filter } = route.useSearch();
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
      <Filters filter={filter} usage={usage} />
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

const Filters = ({ filter, usage }: { filter: AccessFilter; usage: Usage }) => {
  const navigate = route.useNavigate();
  const set = (change: Readonly<Record<string, string | null>>) =>
    void navigate({ replace: true, search: (search) => narrowed(search, change) });
  const versions = [...new Set(usage.counts.map(({ version }) => version))];
  const keys = usage.keys.map(({ keyId, name }) => ({ value: keyId, label: `${name} (${keyId})` }));
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <Choice
        label="API key"
        options={keys}
        value={filter.key}
        onChange={(key) => set({ key })}
        width={210}
        labelAbove
      />
      <Choice
        label="Version"
        options={versions}
        value={filter.version}
        onChange={(version) => set({ version })}
        width={120}
        labelAbove
      />
      <DayInput label="From (UTC)" value={filter.from ?? ''} onChange={(from) => set({ from })} />
      <DayInput label="To (UTC)" value={filter.to ?? ''} onChange={(to) => set({ to })} />
    </Group>
  );
};

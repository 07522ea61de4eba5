import { SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Panel } from '../../../components/layout/panel.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { narrowed } from '../../../components/tables/filters.tsx';
import { ListBody, nextPage, pagesOf } from '../../../components/tables/list-body.tsx';
import type { Prompt, Usage } from '../prompt-queries.ts';
import { type AccessFilter, accessesQuery, readAllAccesses } from './access-queries.ts';
import { ACCESS_COLUMNS, csvRow, keyUsageColumns } from './accesses-columns.tsx';
import { usageByKey } from './usage-days.ts';

interface AccessesPanelProps {
  readonly prompt: Prompt;
  readonly filter: AccessFilter;
  /** The fetches that match the filter. */
  readonly usage: Usage;
  readonly isByKey: boolean;
}

const route = getRouteApi('/prompts/$promptId/usage');

/** The access history: each fetch with key, version, source and metadata, or how often each key fetched what. */
export const AccessesPanel = ({ prompt: { promptId, name }, filter, usage, isByKey }: AccessesPanelProps) => {
  const navigate = route.useNavigate();
  const group = (by: string) =>
    void navigate({
      replace: true,
      resetScroll: false,
      search: (search) => narrowed(search, { by }),
    });
  return (
    <Panel
      title="Access history"
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Rows"
            value={isByKey ? 'key' : ''}
            onChange={group}
            data={[
              { value: '', label: 'Each fetch' },
              { value: 'key', label: 'By API key' },
            ]}
          />
          <CsvButton
            fileName={`${name} accesses.csv`}
            read={async (onCount, signal) =>
              (await readAllAccesses(promptId, filter, onCount, signal)).map(csvRow)
            }
          />
        </>
      }
    >
      {isByKey ? <ByKey usage={usage} /> : <EachFetch promptId={promptId} filter={filter} />}
    </Panel>
  );
};

const EachFetch = ({ promptId, filter }: Pick<AccessesPanelProps, 'filter'> & { promptId: string }) => {
  const list = useInfiniteQuery(accessesQuery(promptId, filter));
  const rows = pagesOf(list).flatMap(({ accesses }) => accesses);
  return (
    <ListBody list={list} isEmpty={rows.length === 0} empty={<NothingFound />}>
      <DataTable
        label="Access history"
        columns={ACCESS_COLUMNS}
        rows={rows}
        rowKey={({ requestId, time }) => time + requestId}
        onEnd={nextPage(list)}
      />
    </ListBody>
  );
};

const ByKey = ({ usage }: { usage: Usage }) => {
  const rows = usageByKey(usage.counts);
  return rows.length === 0 ? (
    <NothingFound />
  ) : (
    <DataTable
      label="Access history by API key"
      columns={keyUsageColumns(usage)}
      rows={rows}
      rowKey={({ apiKeyId }) => apiKeyId}
    />
  );
};

const NothingFound = () => (
  <Text c="dimmed" py="md">
    No matching fetches.
  </Text>
);

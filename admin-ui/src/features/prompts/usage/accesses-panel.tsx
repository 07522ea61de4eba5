import { SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Panel } from '../../../components/layout/panel.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { useFilter } from '../../../components/tables/filters.tsx';
import { ListBody, pagesOf } from '../../../components/tables/list-body.tsx';
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

/** The access history: each fetch with key, version, source and metadata, or how often each key fetched what. */
export const AccessesPanel = ({ prompt: { promptId, name }, filter, usage, isByKey }: AccessesPanelProps) => {
  const set = useFilter();
  return (
    <Panel
      title="Access history"
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Rows"
            value={isByKey ? 'key' : ''}
            onChange={(by) => set({ by }, { resetScroll: false })}
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
        list={list}
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
  <Text size="md" c="dimmed" py="md">
    No matching fetches.
  </Text>
);

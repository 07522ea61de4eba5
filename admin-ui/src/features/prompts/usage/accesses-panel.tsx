import { Text } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { accessesList } from '../../../../../contract/endpoints/usage.ts';
import { readAll } from '../../../api/queries.ts';
import { Panel } from '../../../components/layout/panel.tsx';
import { Small } from '../../../components/small.tsx';
import { CsvButton } from '../../../components/tables/csv-button.tsx';
import { type Column, ListTable } from '../../../components/tables/data-table.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import { type Access, type AccessFilter, accessesQuery } from '../prompt-queries.ts';

interface AccessesPanelProps {
  readonly promptId: string;
  readonly name: string;
  readonly filter: AccessFilter;
}

/** The access history: each fetch with key, version, source and metadata. It is read once it comes into view. */
export const AccessesPanel = ({ promptId, name, filter }: AccessesPanelProps) => {
  const { ref, entry } = useIntersection({ rootMargin: '100px' });
  const enabled = entry?.isIntersecting === true;
  const list = useInfiniteQuery({ ...accessesQuery(promptId, filter), enabled });
  const rows = pagesOf(list).flatMap(({ accesses }) => accesses);
  return (
    <div ref={ref}>
      <Panel
        title="Access history"
        actions={
          <CsvButton
            fileName={`${name} accesses.csv`}
            columns={CSV_COLUMNS}
            read={(onCount, signal) => {
              const input = { params: { promptId }, query: filter, signal };
              return readAll(accessesList, input, ({ accesses }) => accesses.map(csvRow), onCount);
            }}
          />
        }
      >
        <ListTable
          label="Access history"
          columns={ACCESS_COLUMNS}
          rows={rows}
          rowKey={({ requestId, time }) => time + requestId}
          list={list}
          empty={<Text c="dimmed">No matching fetches.</Text>}
        />
      </Panel>
    </div>
  );
};

const metadataOf = ({ metaProperties }: Access): string =>
  Object.keys(metaProperties).length === 0 ? '' : JSON.stringify(metaProperties);

const CSV_COLUMNS =
  'time version label apiKeyId apiKeyName sourceIp userAgent compiled metaProperties requestId'.split(' ');

const csvRow = (access: Access) => ({ ...access, metaProperties: metadataOf(access) });

const ACCESS_COLUMNS: readonly Column<Access>[] = [
  { title: 'Time', width: '11rem', visibleFrom: 'sm', cell: ({ time }) => <When at={time} /> },
  {
    title: 'Version',
    cell: ({ version, label, time }) => (
      <>
        <span className="cv-mono">{version}</span> {label && <LabelBadge label={label} />}
        <Small hiddenFrom="sm" component="div">
          <When at={time} />
        </Small>
      </>
    ),
  },
  {
    title: 'API key',
    cell: ({ apiKeyId, apiKeyName }) => (
      <>
        <span className="cv-break">{apiKeyName}</span>
        <Small className="cv-mono">{apiKeyId}</Small>
      </>
    ),
  },
  {
    title: 'Source',
    visibleFrom: 'sm',
    cell: ({ sourceIp, userAgent }) => (
      <>
        <span className="cv-mono">{sourceIp}</span>
        <Small lineClamp={1} title={userAgent} className="cv-break">
          {userAgent}
        </Small>
      </>
    ),
  },
  {
    title: 'Compiled',
    width: '6rem',
    visibleFrom: 'lg',
    cell: ({ compiled, missing }) => (missing ? `without ${missing.join(', ')}` : compiled ? 'yes' : 'no'),
  },
  {
    title: 'Metadata',
    visibleFrom: 'md',
    cell: (access) => (
      <Text size="xs" className="cv-mono cv-break" lineClamp={2} title={metadataOf(access)}>
        {metadataOf(access)}
      </Text>
    ),
  },
];

import { Text } from '@mantine/core';
import { TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import type { Column } from '../../../components/tables/data-table.tsx';
import { When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import type { Usage } from '../prompt-queries.ts';
import type { Access } from './access-queries.ts';
import type { KeyUsage } from './usage-days.ts';

const metadataOf = ({ metaProperties }: Access): string =>
  Object.keys(metaProperties).length === 0 ? '' : JSON.stringify(metaProperties);

/** An entry as a line of the CSV file. */
export const csvRow = (access: Access) => ({
  time: access.time,
  version: access.version,
  label: access.label,
  apiKeyId: access.apiKeyId,
  apiKeyName: access.apiKeyName,
  sourceIp: access.sourceIp,
  userAgent: access.userAgent,
  compiled: access.compiled,
  metaProperties: metadataOf(access),
  requestId: access.requestId,
});

export const ACCESS_COLUMNS: readonly Column<Access>[] = [
  { key: 'time', title: 'Time', width: '11rem', visibleFrom: 'sm', cell: ({ time }) => <When at={time} /> },
  {
    key: 'version',
    title: 'Version',
    cell: ({ version, label, time }) => (
      <>
        <span className="cv-mono">{version}</span> {label && <LabelBadge label={label} />}
        <Text size="xs" c="dimmed" hiddenFrom="sm" component="div">
          <When at={time} />
        </Text>
      </>
    ),
  },
  {
    key: 'key',
    title: 'API key',
    cell: ({ apiKeyId, apiKeyName }) => (
      <>
        <span className="cv-break">{apiKeyName}</span>
        <Text size="xs" c="dimmed" className="cv-mono">
          {apiKeyId}
        </Text>
      </>
    ),
  },
  {
    key: 'source',
    title: 'Source',
    visibleFrom: 'sm',
    cell: ({ sourceIp, userAgent }) => (
      <>
        <span className="cv-mono">{sourceIp}</span>
        <Text size="xs" c="dimmed" lineClamp={1} title={userAgent} className="cv-break">
          {userAgent}
        </Text>
      </>
    ),
  },
  {
    key: 'compiled',
    title: 'Compiled',
    width: '6rem',
    visibleFrom: 'lg',
    cell: ({ compiled }) => (compiled ? 'yes' : 'no'),
  },
  {
    key: 'metadata',
    title: 'Metadata',
    visibleFrom: 'md',
    cell: (access) => (
      <Text size="xs" className="cv-mono cv-break" lineClamp={2} title={metadataOf(access)}>
        {metadataOf(access)}
      </Text>
    ),
  },
];

/** Each key leads to its fetches. */
export const keyUsageColumns = ({ keys }: Pick<Usage, 'keys'>): readonly Column<KeyUsage>[] => [
  {
    key: 'key',
    title: 'API key',
    cell: ({ apiKeyId }) => (
      <>
        <TextLink
          from="/prompts/$promptId/usage"
          to="."
          search={({ by: _, ...search }) => ({ ...search, key: apiKeyId })}
          resetScroll={false}
          className="cv-break"
        >
          {keys.find(({ keyId }) => keyId === apiKeyId)?.name ?? 'unknown'}
        </TextLink>
        <Text size="xs" c="dimmed" className="cv-mono">
          {apiKeyId}
        </Text>
      </>
    ),
  },
  { key: 'count', title: 'Fetches', width: '6rem', cell: ({ count }) => inDigits(count) },
  {
    key: 'versions',
    title: 'Versions',
    cell: ({ versions }) => <span className="cv-mono cv-break">{versions.join(', ')}</span>,
  },
  { key: 'last', title: 'Last day (UTC)', visibleFrom: 'sm', cell: ({ lastDay }) => lastDay },
];

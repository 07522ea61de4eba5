import { Text } from '@mantine/core';
import { TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Small } from '../../../components/small.tsx';
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
  { title: 'Compiled', width: '6rem', visibleFrom: 'lg', cell: ({ compiled }) => (compiled ? 'yes' : 'no') },
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

/** Each key leads to its fetches. */
export const keyUsageColumns = ({ keys }: Pick<Usage, 'keys'>): readonly Column<KeyUsage>[] => [
  {
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
        <Small className="cv-mono">{apiKeyId}</Small>
      </>
    ),
  },
  { title: 'Fetches', width: '6rem', cell: ({ count }) => inDigits(count) },
  {
    title: 'Versions',
    cell: ({ versions }) => <span className="cv-mono cv-break">{versions.join(', ')}</span>,
  },
  { title: 'Last day (UTC)', visibleFrom: 'sm', cell: ({ lastDay }) => lastDay },
];

import { Group, Text } from '@mantine/core';
import { TextLink } from '../../../components/link.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { Tags } from '../../../components/tags.tsx';
import { ChangedCell, When } from '../../../components/when.tsx';
import { NameMark } from '../name-warning.tsx';
import type { SecretRow } from '../secret-queries.ts';

/** The columns of the list of secrets. Keys of sortable ones are what the service sorts by. */
export const SECRET_COLUMNS: readonly Column<SecretRow>[] = [
  {
    key: 'key',
    title: 'Key',
    sortable: true,
    cell: ({ secretId, key }) => (
      <Group gap={6} wrap="nowrap">
        <TextLink to="/secrets/$secretId" params={{ secretId }} fw={600} className="cv-mono cv-break">
          {key}
        </TextLink>
        <NameMark name={key} />
      </Group>
    ),
  },
  {
    key: 'tags',
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'sm',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    key: 'number',
    title: 'Value',
    width: '5rem',
    visibleFrom: 'md',
    cell: ({ number }) => <span title="Number of the current value">no. {number}</span>,
  },
  {
    key: 'read',
    title: 'Last read',
    width: '13rem',
    sortable: true,
    firstOrder: 'desc',
    cell: ({ lastRead }) => <LastRead lastRead={lastRead} />,
  },
  {
    key: 'changed',
    title: 'Changed',
    width: '12rem',
    sortable: true,
    firstOrder: 'desc',
    visibleFrom: 'md',
    cell: ({ changedAt, changedBy }) => <ChangedCell changedAt={changedAt} changedBy={changedBy} />,
  },
];

/** When a secret was last released, and to which API key. */
export const LastRead = ({ lastRead }: Pick<SecretRow, 'lastRead'>) =>
  lastRead === null ? (
    <Text size="sm" c="dimmed">
      not in 30 days
    </Text>
  ) : (
    <>
      <When at={lastRead.at} short />
      <Text size="xs" c="dimmed" className="cv-break" lineClamp={1} title={lastRead.apiKeyName}>
        {lastRead.apiKeyName}
      </Text>
    </>
  );

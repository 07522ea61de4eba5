import { Group, Text } from '@mantine/core';
import { ChangedCell, DayText, isNew, TextLink, When } from '../../components/basics.tsx';
import { EnvironmentMark, secretPage } from '../../components/environments.tsx';
import { Breakable } from '../../components/screen.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { Tags } from '../../components/tags.tsx';
import { NameMark } from './name-warning.tsx';
import { dayIn, isOverdue, ROTATION_NEAR_DAYS } from './rotation.ts';
import type { SecretRow } from './secret-queries.ts';

/** The columns of the list of secrets; one of a single environment does not name it in each row. */
export const secretColumns = (isOfOne: boolean): readonly Column<SecretRow>[] => [
  {
    title: 'Key',
    sortBy: 'key',
    minWidth: '11rem',
    cell: ({ environment, secretId, key, rotateBy }) => (
      <Group gap={6}>
        <TextLink {...secretPage({ environment, secretId, key })} fw={600} className="cv-mono cv-break">
          <Breakable text={key} />
        </TextLink>
        <NameMark name={key} />
        {!isOfOne && <EnvironmentMark name={environment} />}
        <Due rotateBy={rotateBy} />
      </Group>
    ),
  },
  {
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'sm',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    title: 'Value',
    width: '5rem',
    visibleFrom: 'md',
    cell: ({ number }) => <span title="Number of the current value">v{number}</span>,
  },
  {
    title: 'Last read',
    width: '11rem',
    visibleFrom: 'xs',
    below: 'read',
    sortBy: 'read',
    firstOrder: 'desc',
    cell: (row) => <LastRead {...row} />,
  },
  {
    title: 'Changed',
    width: '12rem',
    sortBy: 'changed',
    firstOrder: 'desc',
    visibleFrom: 'md',
    cell: ChangedCell,
  },
];

/** The day of the next rotation, if it is near or has passed. */
const Due = ({ rotateBy }: Pick<SecretRow, 'rotateBy'>) => {
  if (rotateBy === undefined || rotateBy > dayIn(ROTATION_NEAR_DAYS)) return null;
  const isLate = isOverdue(rotateBy, new Date());
  return (
    <Text span size="xs" c={isLate ? 'amber' : 'dimmed'}>
      {isLate ? 'rotation overdue since' : 'rotate by'} <DayText day={rotateBy} />
    </Text>
  );
};

const notRead = (createdAt: string): string => (isNew(createdAt) ? 'not yet' : 'not in 30 days');

/** When a secret was last released, and to which API key. */
export const LastRead = ({ lastRead, createdAt }: Pick<SecretRow, 'lastRead' | 'createdAt'>) =>
  lastRead === null ? (
    <Text span inherit c="dimmed">
      {notRead(createdAt)}
    </Text>
  ) : (
    <span title={`by ${lastRead.apiKeyName}`}>
      <When at={lastRead.at} short /> by {lastRead.apiKeyName}
    </span>
  );

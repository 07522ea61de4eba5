import { Group, Text } from '@mantine/core';
import { TextLink } from '../../../components/link.tsx';
import { Sparkline } from '../../../components/sparkline.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { Tags } from '../../../components/tags.tsx';
import { When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import type { PromptRow } from '../prompt-queries.ts';

const fetchesInWords = ({ fetches }: PromptRow): string =>
  `${fetches.last7Days.toLocaleString()} fetches in 7 days`;

/** The columns of the list of prompts. Keys of sortable ones are what the service sorts by. */
export const PROMPT_COLUMNS: readonly Column<PromptRow>[] = [
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    cell: ({ promptId, name }) => (
      <TextLink to="/prompts/$promptId" params={{ promptId }} fw={600} className="cv-break">
        {name}
      </TextLink>
    ),
  },
  {
    key: 'latest',
    title: 'Latest',
    width: '5rem',
    cell: ({ latest }) => <span className="cv-mono">{latest}</span>,
  },
  {
    key: 'labels',
    title: 'Labels',
    minWidth: '9.5rem',
    visibleFrom: 'sm',
    cell: ({ labels }) => (
      <Group gap={4}>
        {labels.map(({ label, version }) => (
          <LabelBadge key={label} label={label} version={version} />
        ))}
      </Group>
    ),
  },
  {
    key: 'tags',
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'md',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    key: 'fetches',
    title: 'Fetches, 7 days',
    width: '9rem',
    sortable: true,
    visibleFrom: 'xs',
    cell: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Sparkline values={row.fetches.byDay} label={fetchesInWords(row)} />
        <span>{row.fetches.last7Days.toLocaleString()}</span>
      </Group>
    ),
  },
  {
    key: 'fetched',
    title: 'Last fetched',
    width: '8rem',
    sortable: true,
    visibleFrom: 'md',
    cell: ({ fetches: { lastAt } }) =>
      lastAt === null ? (
        <Text size="sm" c="dimmed">
          not in 30 days
        </Text>
      ) : (
        <When at={lastAt} short />
      ),
  },
  {
    key: 'changed',
    title: 'Changed',
    width: '12rem',
    sortable: true,
    visibleFrom: 'lg',
    cell: ({ changedAt, changedBy }) => (
      <>
        <When at={changedAt} short />
        <Text size="xs" c="dimmed" className="cv-break">
          {changedBy}
        </Text>
      </>
    ),
  },
];

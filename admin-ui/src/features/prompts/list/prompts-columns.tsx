import { Badge, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { Breakable } from '../../../components/breakable.tsx';
import { Sparkline } from '../../../components/charts/sparkline.tsx';
import { counted } from '../../../components/count.ts';
import { TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Small } from '../../../components/small.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { Tags } from '../../../components/tags.tsx';
import { ChangedCell, isNew, When } from '../../../components/when.tsx';
import { LabelBadge } from '../labels/label-badge.tsx';
import { PRODUCTION, productionFirst } from '../labels/label-names.ts';
import type { PromptRow } from '../prompt-queries.ts';
import { ChatBadge } from '../versions/chat-badge.tsx';

const fetchesInWords = ({ fetches }: PromptRow): string =>
  `${counted(fetches.last7Days, 'fetch', 'fetches')} in 7 days`;

/**
 * The columns of the list of prompts.
 * @param folder the folder that is shown: names are shown without it
 * @param most the most fetches of a listed prompt on one day
 */
export const promptColumns = (folder: string | undefined, most: number): readonly Column<PromptRow>[] => [
  {
    title: 'Name',
    sortBy: 'name',
    minWidth: '11rem',
    cell: (row) => (
      <>
        <Group gap={6}>
          <TextLink to="/prompts/$promptId" params={{ promptId: row.promptId }} fw={600} className="cv-break">
            <Breakable text={folder === undefined ? row.name : row.name.slice(folder.length + 1)} />
          </TextLink>
          {row.type === 'chat' && <ChatBadge />}
        </Group>
        <FoundIn {...row} />
        {row.draft && (
          <Small className="cv-break">
            draft by {row.draft.savedBy}, <When at={row.draft.savedAt} short />
          </Small>
        )}
        <Group gap={4} hiddenFrom="md">
          <Labels labels={row.labels} />
        </Group>
        <Small hiddenFrom="xs">
          <span className="cv-mono">{row.latest}</span> · {fetchesInWords(row)}
        </Small>
      </>
    ),
  },
  {
    title: 'Latest',
    width: '6.5rem',
    visibleFrom: 'xs',
    cell: ({ latest, labels }) => {
      const served = labels.find(({ label }) => label === PRODUCTION)?.version;
      return (
        <>
          <span className="cv-mono">{latest}</span>
          {served !== undefined && served !== latest && (
            <Text size="xs" c="amber">
              ahead of {PRODUCTION}
            </Text>
          )}
        </>
      );
    },
  },
  {
    title: 'Labels',
    minWidth: '9.5rem',
    visibleFrom: 'md',
    cell: ({ labels }) => (
      <Group gap={4}>
        <Labels labels={labels} />
      </Group>
    ),
  },
  {
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'lg',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    title: 'Fetches, 7 days',
    width: '9rem',
    sortBy: 'fetches',
    firstOrder: 'desc',
    visibleFrom: 'xs',
    cell: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Sparkline values={row.fetches.byDay} most={most} label={fetchesInWords(row)} />
        <span>{inDigits(row.fetches.last7Days)}</span>
      </Group>
    ),
  },
  {
    title: 'Last fetched',
    width: '8rem',
    sortBy: 'fetched',
    firstOrder: 'desc',
    visibleFrom: 'md',
    cell: ({ createdAt, fetches: { lastAt } }) =>
      lastAt === null ? (
        <Text c="dimmed">{isNew(createdAt) ? 'not fetched yet' : 'not in 30 days'}</Text>
      ) : (
        <When at={lastAt} short />
      ),
  },
  {
    title: 'Changed',
    width: '11rem',
    sortBy: 'changed',
    firstOrder: 'desc',
    visibleFrom: 'lg',
    cell: ChangedCell,
  },
];

/** Where the search found a prompt whose name does not say so: a tag, a label, or a line of what is searched of its text. */
const FoundIn = ({ name, tags, labels, excerpt }: PromptRow) => {
  const { q } = useSearch({ strict: false });
  const holds = (text: string): boolean => text.toLowerCase().includes(q?.toLowerCase() ?? '');
  if (holds(name)) return null;
  const places = [
    ...tags.filter(holds).map((tag) => `tag ${tag}`),
    ...labels.filter(({ label }) => holds(label)).map(({ label }) => `label ${label}`),
    ...excerpt.split('\n').filter(holds),
  ];
  return <Small className="cv-break">Found in: {places[0]}</Small>;
};

const LABELS_SHOWN = 4;

/** The labels, production first; beyond the first few, only their number. */
const Labels = ({ labels }: Pick<PromptRow, 'labels'>) => {
  const sorted = productionFirst(labels);
  const more = sorted.slice(LABELS_SHOWN);
  return (
    <>
      {sorted.slice(0, LABELS_SHOWN).map(({ label, version }) => (
        <LabelBadge key={label} label={label} version={version} />
      ))}
      {more.length > 0 && (
        <Badge
          color="gray"
          variant="outline"
          title={more.map(({ label, version }) => `${label} → ${version}`).join(', ')}
        >
          +{more.length}
        </Badge>
      )}
    </>
  );
};

import { Badge, Button, Group, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { liveVersion } from '../../../../../contract/content/live.ts';
import { visible } from '../../../../../contract/content/visible.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { Breakable } from '../../../components/breakable.tsx';
import { formByNeed } from '../../../components/by-need.tsx';
import { Sparkline } from '../../../components/charts/sparkline.tsx';
import { counted } from '../../../components/count.ts';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { inDigits } from '../../../components/locale.ts';
import { Small } from '../../../components/small.tsx';
import { type Column, DataTable, type Selectable } from '../../../components/tables/data-table.tsx';
import type { PagedList } from '../../../components/tables/list-body.tsx';
import { Tags } from '../../../components/tags.tsx';
import { WarningMark } from '../../../components/warning-mark.tsx';
import { ChangedCell, isNew, When } from '../../../components/when.tsx';
import { ChatBadge, LabelBadge } from '../labels/label-badge.tsx';
import { PRODUCTION, productionFirst } from '../labels/label-names.ts';
import type { PromptRow } from '../prompt-queries.ts';

const TagsOfPrompts = formByNeed('prompt-tags', () => import('./tags-of-prompts.tsx'));

interface PromptsTableProps {
  readonly rows: readonly PromptRow[];
  readonly tags: readonly string[];
  readonly folder: string | undefined;
  /** The list, if its next page is read near the end of the table. */
  readonly list: PagedList | undefined;
}

export const PromptsTable = ({ rows, tags, folder, list }: PromptsTableProps) => {
  const { can } = useRole();
  const most = Math.max(0, ...rows.flatMap(({ fetches }) => fetches.byDay));
  const select: Selectable<PromptRow> = {
    one: 'prompt',
    nameOf: ({ name }) => name,
    acts: (prompts, selectOthers) => <PromptActs {...{ prompts, known: tags, select: selectOthers }} />,
  };
  return (
    <DataTable
      label="Prompts"
      columns={promptColumns(folder, most)}
      rows={rows}
      rowKey={({ promptId }) => promptId}
      sort={{ by: 'name', order: 'asc' }}
      {...(can('editor') && { select })}
      {...(list && { list })}
    />
  );
};

interface PromptActsProps {
  readonly prompts: readonly PromptRow[];
  readonly known: readonly string[];
  readonly select: (promptIds: readonly string[]) => void;
}

const PromptActs = ({ prompts, known, select }: PromptActsProps) => {
  const openTags = (change: 'add' | 'remove') => () =>
    openDialog({
      title: `${change === 'add' ? 'Add tags to' : 'Remove tags from'} ${counted(prompts.length, 'prompt')}`,
      content: <TagsOfPrompts {...{ prompts, known, change, select }} />,
    });
  return (
    <>
      {prompts.length > LIMITS.labelMoves ? (
        <Text c="dimmed">Labels of at most {LIMITS.labelMoves} move at once.</Text>
      ) : (
        <ButtonLink
          to="/prompts/labels"
          search={{ prompts: prompts.map(({ promptId }) => promptId) }}
          variant="default"
        >
          Move labels
        </ButtonLink>
      )}
      <Button variant="default" onClick={openTags('add')}>
        Add tags
      </Button>
      <Button
        variant="default"
        onClick={openTags('remove')}
        disabled={prompts.every(({ tags }) => tags.length === 0)}
      >
        Remove tags
      </Button>
    </>
  );
};

const fetchesInWords = ({ fetches }: PromptRow): string =>
  `${counted(fetches.count, 'fetch', 'fetches')} in ${LIMITS.shownDays} days`;

/**
 * The columns of the list of prompts.
 * @param folder the folder that is shown: names are shown without it
 * @param most the most fetches of a listed prompt on one day
 */
const promptColumns = (folder: string | undefined, most: number): readonly Column<PromptRow>[] => [
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
          {row.failing && (
            <WarningMark
              text={`At least ${counted(row.failing, 'call')} of the last 24 hours failed or got gaps.`}
            />
          )}
        </Group>
        <FoundIn {...row} />
        {row.draft && (
          <Small className="cv-break">
            draft by {row.draft.savedBy}, <When at={row.draft.savedAt} short />
          </Small>
        )}
      </>
    ),
  },
  {
    title: 'Latest',
    width: '6rem',
    visibleFrom: 'xs',
    below: true,
    cell: (row) => (
      <>
        <span className="cv-mono">{row.latest}</span>
        {liveVersion(row) !== row.latest && (
          <Text size="xs" c="amber">
            ahead of {PRODUCTION}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Labels',
    minWidth: '9.5rem',
    visibleFrom: 'md',
    below: true,
    cell: ({ labels }) => <Labels labels={labels} />,
  },
  {
    title: 'Tags',
    minWidth: '6.5rem',
    visibleFrom: 'lg',
    cell: ({ tags }) => <Tags tags={tags} shown={3} />,
  },
  {
    title: `Fetches, ${LIMITS.shownDays} days`,
    width: '10rem',
    sortBy: 'fetches',
    firstOrder: 'desc',
    visibleFrom: 'xs',
    below: true,
    cell: (row) => (
      <Group gap="xs" wrap="nowrap">
        <Sparkline values={row.fetches.byDay} most={most} label={fetchesInWords(row)} />
        <span>{inDigits(row.fetches.count)}</span>
      </Group>
    ),
  },
  {
    title: 'Last fetched',
    width: '7.5rem',
    sortBy: 'fetched',
    firstOrder: 'desc',
    visibleFrom: 'md',
    cell: ({ createdAt, fetches: { lastAt } }) =>
      lastAt === null ? (
        <Text c="dimmed">{isNew(createdAt) ? 'not fetched yet' : `not in ${LIMITS.shownDays} days`}</Text>
      ) : (
        <When at={lastAt} short />
      ),
  },
  {
    title: 'Changed',
    width: '10.5rem',
    sortBy: 'changed',
    firstOrder: 'desc',
    visibleFrom: 'lg',
    cell: ChangedCell,
  },
];

/** Where the search found a prompt whose name does not say so: a tag, a label, or a line of what is searched of its text. */
const FoundIn = ({ name, tags, labels, excerpt, found }: PromptRow) => {
  const { q } = useSearch({ strict: false });
  const holds = (text: string): boolean => text.toLowerCase().includes(q?.toLowerCase() ?? '');
  if (holds(name)) return null;
  const places = [
    ...tags.filter(holds).map((tag) => `tag ${tag}`),
    ...labels.filter(({ label }) => holds(label)).map(({ label }) => `label ${label}`),
    ...excerpt.split('\n').filter(holds),
    ...(found ? [`${found.version}: ${found.line}`] : []),
  ];
  return <Small className="cv-break">Found in: {visible(places[0] ?? '')}</Small>;
};

const LABELS_SHOWN = 4;

/** The labels, production first; beyond the first few, only their number. */
const Labels = ({ labels }: Pick<PromptRow, 'labels'>) => {
  const sorted = productionFirst(labels);
  const more = sorted.slice(LABELS_SHOWN).map(({ label, version }) => `${label} → ${version}`);
  return (
    <Group gap={4}>
      {sorted.slice(0, LABELS_SHOWN).map(({ label, version }) => (
        <LabelBadge key={label} label={label} version={version} />
      ))}
      {more.length > 0 && (
        <Badge color="gray" variant="outline" title={more.join(', ')}>
          +{more.length}
        </Badge>
      )}
    </Group>
  );
};

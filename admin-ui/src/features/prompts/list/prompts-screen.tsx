import { Badge, Box, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { visible } from '../../../../../contract/content/visible.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useCan } from '../../../api/session-context.tsx';
import {
  ButtonLink,
  isNew,
  Muted,
  promptPage,
  RowButton,
  Small,
  TextLink,
  When,
} from '../../../components/basics.tsx';
import { CodeBlock } from '../../../components/code-block.tsx';
import { confirmDeletionOfPrompts } from '../../../components/confirm-by-name.tsx';
import { openDialog } from '../../../components/dialogs.tsx';
import { counted, inDigits } from '../../../components/locale.ts';
import { MenuLink, MoreMenu } from '../../../components/more-menu.tsx';
import { Breakable, NEW_CONTROL } from '../../../components/screen.tsx';
import { Sparkline } from '../../../components/sparkline.tsx';
import { byNeed, ForRole, NotFound, Notice } from '../../../components/states.tsx';
import {
  type Column,
  DataTable,
  ListScreen,
  nextPage,
  pagesOf,
} from '../../../components/tables/data-table.tsx';
import { Choice, optionsOf } from '../../../components/tables/filters.tsx';
import { MoveLabels } from '../label-set/move-labels.tsx';
import { ChatBadge, LabelBadge } from '../labels/label-badge.tsx';
import { productionFirst } from '../labels/label-names.ts';
import { type PromptFilter, type PromptPage, type PromptRow, promptListQuery } from '../prompt-queries.ts';
import { FindSource } from './find-source.tsx';
import { Folders, FolderTrail } from './folders.tsx';

const TagsOfPrompts = byNeed(() => import('./tags-of-prompts.tsx'));

interface PromptActsProps {
  prompts: readonly PromptRow[];
  known: readonly string[];
  select: (promptIds: readonly string[]) => void;
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
        <Muted>Labels of at most {LIMITS.labelMoves} move at once.</Muted>
      ) : (
        <Button
          variant="default"
          onClick={() =>
            openDialog({
              title: `Move a label of ${counted(prompts.length, 'prompt')}`,
              size: '56rem',
              content: <MoveLabels prompts={prompts} />,
            })
          }
        >
          Move labels
        </Button>
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
          <TextLink {...promptPage(row.promptId, row.name)} fw={600}>
            <Breakable text={folder === undefined ? row.name : row.name.slice(folder.length + 1)} />
          </TextLink>
          {row.type === 'chat' && <ChatBadge />}
          {row.failing && (
            <Small span c="brick" title="In the last 24 hours">
              at least {counted(row.failing, 'call')} with problems
            </Small>
          )}
        </Group>
        <FoundIn {...row} />
        {row.draft && (
          <Small>
            draft by {row.draft.savedBy}, <When at={row.draft.savedAt} short />
          </Small>
        )}
        <Small visibleFrom="lg">{visible(row.tags.join(', '))}</Small>
      </>
    ),
  },
  {
    title: 'Latest',
    width: '6rem',
    visibleFrom: 'xs',
    below: 'Latest',
    cell: ({ latest }) => <span className="cv-mono">{latest}</span>,
  },
  {
    title: 'Labels',
    minWidth: '9.5rem',
    visibleFrom: 'md',
    below: true,
    cell: ({ labels }) => <Labels labels={labels} />,
  },
  {
    title: `Fetches, ${LIMITS.shownDays} days`,
    width: '10rem',
    sortBy: 'fetches',
    firstOrder: 'desc',
    visibleFrom: 'xs',
    below: true,
    cell: (row) => (
      <Group wrap="nowrap" display="inline-flex" align="baseline" gap={0}>
        <Box visibleFrom="xs" pr="md">
          <Sparkline
            values={row.fetches.byDay}
            most={most}
            label={`${counted(row.fetches.count, 'fetch', 'fetches')} in ${LIMITS.shownDays} days`}
          />
        </Box>
        <span>{inDigits(row.fetches.count)}</span>
        <Box component="span" hiddenFrom="xs" pl={4}>
          fetches in {LIMITS.shownDays} days
        </Box>
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
        <Muted>{isNew(createdAt) ? 'not fetched yet' : `not in ${LIMITS.shownDays} days`}</Muted>
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
    cell: ({ changedAt, changedBy }) => (
      <>
        <When at={changedAt} short />
        <Small>
          <Breakable text={changedBy} />
        </Small>
      </>
    ),
  },
];

/** Where the search found a prompt whose name, tags and labels do not say so. */
const FoundIn = ({ name, tags, labels, excerpt, found }: PromptRow) => {
  const { q } = useSearch({ strict: false });
  const holds = (text: string): boolean => text.toLowerCase().includes(q?.toLowerCase() ?? '');
  if ([name, ...tags, ...labels.map(({ label }) => label)].some(holds)) return null;
  const place = excerpt.split('\n').find(holds) ?? (found && `${found.version}: ${found.line}`);
  return <Small>Found in: {visible(place ?? '')}</Small>;
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

const route = getRouteApi('/prompts');

const useFilter = (): PromptFilter => {
  const { fetched, draft, texts, ...search } = route.useSearch();
  const { q, tag, label } = search;
  // A search includes all subfolders.
  const view = q || tag || label || fetched || draft ? 'all' : 'folders';
  return {
    ...search,
    view,
    fetched: fetched && fetched === 'yes',
    draft: draft && true,
    texts: texts && q !== undefined,
  };
};

/** What was found of how much, and whether it is sorted otherwise than asked. */
const summaryOf = (pages: readonly PromptPage[], { view, sort = 'name' }: PromptFilter): string => {
  const prompts = (numbers: readonly number[]) =>
    counted(
      numbers.reduce((sum, each) => sum + each),
      'prompt',
    );
  const [first] = pages;
  if (first?.total !== undefined) {
    const found = prompts([first.total, ...first.folders.map((folder) => folder.prompts)]);
    return `${found}${view === 'all' ? ' found' : ''}`;
  }
  const found = view === 'all' ? `${prompts(pages.map((page) => page.prompts.length))} found among ` : '';
  const order = sort === 'name' ? '' : ', by name: there are too many to sort';
  return `${found}the first ${prompts(pages.map(({ read }) => read))}${order}`;
};

export const PromptsScreen = () => {
  const can = useCan();
  const filter = useFilter();
  const list = useInfiniteQuery(promptListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const [stoppedAt, setStoppedAt] = useState<unknown>();
  const isStopped = filter.texts === true && list.hasNextPage && stoppedAt === filter.q;
  const isGoing = filter.texts === true && list.hasNextPage && !isStopped;
  const next = isGoing ? nextPage(list) : undefined;
  useEffect(() => next?.(), [next]);
  const rows = pages.flatMap(({ prompts }) => prompts);
  const { folder } = route.useSearch();
  // The first page that names a folder counts most of it.
  const named = pages.flatMap((page) => page.folders).toReversed();
  const folders = [...new Map(named.map((one) => [one.folder, one])).values()].toReversed();
  const [tags = [], labels = []] = (['tags', 'labels'] as const).map((what) =>
    [...new Set(pages.flatMap((page) => page[what]))].sort(),
  );
  return (
    <ListScreen
      title={folder?.split('/').at(-1) || undefined}
      one="prompt"
      list={list}
      total={folders.length > 0 || folder ? undefined : first?.total}
      isEmpty={rows.length + folders.length === 0 && !isStopped}
      above={folder && <FolderTrail name={folder} />}
      summary={
        first && (
          <Group>
            <span role="status">{summaryOf(pages, filter)}</span>
            {isGoing && <RowButton onClick={() => setStoppedAt(filter.q)}>Stop</RowButton>}
          </Group>
        )
      }
      actions={<Actions folder={folder} />}
      search="Search names, tags, models and notes"
      more={
        filter.q !== undefined && (
          <Choice
            name="texts"
            label="Where"
            options={optionsOf({ yes: 'Also in texts' })}
            placeholder="Not in texts"
          />
        )
      }
      filters={[
        { name: 'tag', label: 'Tag', options: tags },
        { name: 'label', label: 'Label', options: labels },
        {
          name: 'fetched',
          label: 'Use',
          options: optionsOf({
            yes: `Fetched in ${LIMITS.shownDays} days`,
            no: `Not fetched in ${LIMITS.shownDays} days`,
          }),
        },
        { name: 'draft', label: 'Draft', options: optionsOf({ yes: 'With a draft' }) },
      ]}
      first={folder ? <NotFound what="folder" /> : <FirstPrompt />}
    >
      {folders.length > 0 && <Folders folders={folders} within={folder} />}
      {rows.length > 0 && (
        <DataTable<PromptRow>
          label="Prompts"
          columns={promptColumns(folder, Math.max(0, ...rows.flatMap(({ fetches }) => fetches.byDay)))}
          rows={rows}
          rowKey="promptId"
          sort={{ by: 'name', order: 'asc' }}
          select={
            can('editor') && {
              one: 'prompt',
              nameOf: ({ name }) => name,
              acts: (prompts, select) => <PromptActs {...{ prompts, known: tags, select }} />,
            }
          }
          list={folders.length === 0 && !isStopped && list}
        />
      )}
    </ListScreen>
  );
};

const Actions = ({ folder }: { folder: string | undefined }) => {
  const can = useCan();
  return (
    <>
      <ButtonLink to="/prompts/live" variant="default">
        What is live
      </ButtonLink>
      {can('editor') && (
        <ButtonLink to="/prompts/new" {...NEW_CONTROL}>
          New prompt
        </ButtonLink>
      )}
      <MoreMenu
        variant="default"
        size={30}
        label="More actions"
        items={{
          'Find a compiled text': () =>
            openDialog({ title: 'Find a compiled text', size: 'lg', content: <FindSource /> }),
        }}
        dangers={{
          'Delete all prompts in the folder':
            folder !== undefined &&
            can('admin') &&
            (() =>
              confirmDeletionOfPrompts({
                which: { folder },
                name: folder,
                what: 'All prompts in the folder',
              })),
        }}
      >
        <MenuLink to="/prompts/deleted">Deleted prompts</MenuLink>
      </MoreMenu>
    </>
  );
};

const EXAMPLE = `You answer customers of {{company}}.
The customer wrote: {{message}}`;

const FirstPrompt = () => (
  <Notice title="Keep your prompts here, not in your code">
    <Text>
      A prompt is a text with placeholders. Applications fetch it by name and fill in the placeholders, so you
      can change the words without a deployment.
    </Text>
    <CodeBlock text={EXAMPLE} label="An example" />
    <Text>
      Every change is a new version. A label such as <code>production</code> points to one: move it to
      publish, and back to undo.
    </Text>
    <ForRole needs="editor" to="write prompts">
      <ButtonLink to="/prompts/new">Write the first prompt</ButtonLink>
    </ForRole>
  </Notice>
);

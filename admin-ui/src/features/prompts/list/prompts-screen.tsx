import { Button, Group, List, Menu, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useRole } from '../../../api/session-context.tsx';
import { formByNeed } from '../../../components/by-need.tsx';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { counted } from '../../../components/count.ts';
import { confirmDeletionOfPrompts } from '../../../components/dialogs/delete-prompts.tsx';
import { openDialog } from '../../../components/dialogs/dialog.tsx';
import { IconBroadcast, IconPlus, IconTags, IconTrash } from '../../../components/icons.tsx';
import { NEW_CONTROL } from '../../../components/layout/screen.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { RowButton } from '../../../components/small.tsx';
import { NotFound, Notice } from '../../../components/states.tsx';
import { Choice } from '../../../components/tables/filters.tsx';
import { nextPage, pagesOf } from '../../../components/tables/list-body.tsx';
import { ListScreen } from '../../../components/tables/list-screen.tsx';
import { type PromptFilter, type PromptPage, promptListQuery } from '../prompt-queries.ts';
import { Folders, FolderTrail } from './folders.tsx';
import { PromptsTable } from './prompts-table.tsx';

const FindSource = formByNeed('find-source', () => import('./find-source.tsx'));

const route = getRouteApi('/prompts');

const useFilter = (): PromptFilter => {
  const { fetched, draft, texts, ...search } = route.useSearch();
  const { q, tag, label } = search;
  // A search includes all subfolders.
  const view = q || tag || label || fetched || draft ? 'all' : 'folders';
  return {
    ...search,
    view,
    ...(fetched && { fetched: fetched === 'yes' }),
    ...(draft && { draft: true }),
    ...(q && texts && { texts: true }),
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
      title={folder?.split('/').at(-1) || 'Prompts'}
      one="prompt"
      list={list}
      total={folders.length > 0 || folder ? undefined : first?.total}
      isEmpty={rows.length + folders.length === 0 && !isStopped}
      above={folder && <FolderTrail name={folder} />}
      summary={
        first && (
          <Group gap="xs">
            <span role="status">{summaryOf(pages, filter)}</span>
            {isGoing && <RowButton onClick={() => setStoppedAt(filter.q)}>Stop</RowButton>}
          </Group>
        )
      }
      actions={<Actions folder={folder} />}
      search="Search names, tags, models and notes"
      more={
        filter.q !== undefined && (
          <Choice name="texts" label="Where" options={TEXTS} placeholder="Not in texts" />
        )
      }
      filters={[
        { name: 'tag', label: 'Tag', options: tags },
        { name: 'label', label: 'Label', options: labels },
        { name: 'fetched', label: 'Use', options: FETCHED },
        { name: 'draft', label: 'Draft', options: DRAFT },
      ]}
      first={folder ? <NotFound what="folder" /> : <FirstPrompt />}
    >
      {folders.length > 0 && <Folders folders={folders} within={folder} />}
      {rows.length > 0 && (
        <PromptsTable
          rows={rows}
          tags={tags}
          folder={folder}
          list={folders.length > 0 || isStopped ? undefined : list}
        />
      )}
    </ListScreen>
  );
};

const Actions = ({ folder }: { folder: string | undefined }) => {
  const { can } = useRole();
  return (
    <>
      <ButtonLink to="/prompts/deleted" variant="subtle">
        Deleted prompts
      </ButtonLink>
      <Button
        variant="subtle"
        onClick={() => openDialog({ title: 'Find a compiled text', size: 'lg', content: <FindSource /> })}
      >
        Find a compiled text
      </Button>
      <ButtonLink to="/prompts/live" variant="default" leftSection={<IconBroadcast size={15} />}>
        What is live
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/prompts/labels"
            search={folder === undefined ? {} : { folder }}
            variant="default"
            leftSection={<IconTags size={15} />}
          >
            Move labels
          </ButtonLink>
          <ButtonLink to="/prompts/new" {...NEW_CONTROL}>
            New prompt
          </ButtonLink>
        </>
      )}
      {can('admin') && folder && (
        <MoreMenu variant="default" size={30} label="Actions for the folder">
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={15} />}
            onClick={() =>
              confirmDeletionOfPrompts({ which: { folder }, name: folder, what: 'All prompts in the folder' })
            }
          >
            Delete all prompts in it
          </Menu.Item>
        </MoreMenu>
      )}
    </>
  );
};

const FETCHED = [
  { value: 'yes', label: `Fetched in ${LIMITS.shownDays} days` },
  { value: 'no', label: `Not fetched in ${LIMITS.shownDays} days` },
];
const DRAFT = [{ value: 'yes', label: 'With a draft' }];
const TEXTS = [{ value: 'yes', label: 'Also in texts' }];

const EXAMPLE = `You answer customers of {{company}}.
The customer wrote: {{message}}`;

const FirstPrompt = () => {
  const { can } = useRole();
  return (
    <Notice title="Keep your prompts here, not in your code">
      <Text size="md">
        A prompt is a text with placeholders. Applications fetch it by name and fill in the placeholders, so
        you can change the words without a deployment.
      </Text>
      <CodeBlock text={EXAMPLE} label="An example" />
      <List size="md" spacing={4}>
        <List.Item>Every change is a new version that never changes again: 1.0.0, 1.1.0, 2.0.0.</List.Item>
        <List.Item>
          A label such as <code>production</code> points to one version. Move it to publish, move it back to
          undo.
        </List.Item>
        <List.Item>Each fetch is recorded, so you see who a change affects before you make it.</List.Item>
      </List>
      {can('editor') ? (
        <ButtonLink size="sm" to="/prompts/new" leftSection={<IconPlus size={16} />}>
          Write the first prompt
        </ButtonLink>
      ) : (
        <Text size="md" c="dimmed">
          Editors and administrators can write prompts.
        </Text>
      )}
    </Notice>
  );
};

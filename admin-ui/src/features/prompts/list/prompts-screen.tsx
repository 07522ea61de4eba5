import { Menu } from '@mantine/core';
import { IconBroadcast, IconPlus, IconTags, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { promptsList } from '../../../../../contract/endpoints/prompts/prompts-list.ts';
import type { ReplyOf } from '../../../api/client.ts';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { confirmDeletionOfPrompts } from '../../../components/dialogs/delete-prompts.tsx';
import { NEW_CONTROL, Screen } from '../../../components/layout/screen.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { Notice } from '../../../components/states.tsx';
import { ListBody, pagesOf } from '../../../components/tables/list-body.tsx';
import { type PromptFilter, promptListQuery } from '../prompt-queries.ts';
import { FirstPrompt } from './first-prompt.tsx';
import { Folders, FolderTrail } from './folders.tsx';
import { PromptsFilter } from './prompts-filter.tsx';
import { PromptsTable } from './prompts-table.tsx';

const route = getRouteApi('/prompts');

const useFilter = (): PromptFilter => {
  const { fetched, draft, ...search } = route.useSearch();
  const { q, tag, label } = search;
  // A search includes all subfolders.
  const view = q || tag || label || fetched || draft ? 'all' : 'folders';
  return { ...search, view, ...(fetched && { fetched: fetched === 'yes' }), ...(draft && { draft: true }) };
};

type Page = ReplyOf<typeof promptsList>;

const unique = (pages: readonly Page[], what: 'tags' | 'labels'): readonly string[] =>
  [...new Set(pages.flatMap((page) => page[what]))].sort();

/** What was found of how much, and whether it is sorted otherwise than asked. */
const summaryOf = (pages: readonly Page[], { view, sort = 'name' }: PromptFilter): string => {
  const sum = (of: (page: Page) => number) => pages.reduce((total, page) => total + of(page), 0);
  const found = counted(
    sum(({ prompts }) => prompts.length),
    'prompt',
  );
  const [first] = pages;
  if (first?.total !== undefined) {
    const inFolders = first.folders.reduce((total, { prompts }) => total + prompts, 0);
    return `${counted(first.total + inFolders, 'prompt')}${view === 'all' ? ' found' : ''}`;
  }
  const read = `the first ${counted(
    sum((page) => page.read),
    'prompt',
  )}`;
  const order = sort === 'name' ? '' : ', by name: there are too many to sort';
  return `${view === 'all' ? `${found} found among ${read}` : read}${order}`;
};

export const PromptsScreen = () => {
  const filter = useFilter();
  const list = useInfiniteQuery(promptListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = filter.view === 'all';
  const rows = pages.flatMap(({ prompts }) => prompts);
  const { folder } = route.useSearch();
  // The first page that names a folder counts most of it.
  const named = pages.flatMap((page) => page.folders).toReversed();
  const folders = [...new Map(named.map((one) => [one.folder, one])).values()].toReversed();
  const [tags, labels] = [unique(pages, 'tags'), unique(pages, 'labels')];
  const isNone = first?.total === 0 && folders.length === 0;
  return (
    <Screen
      title={folder?.split('/').at(-1) || 'Prompts'}
      above={folder && <FolderTrail name={folder} />}
      subtitle={first && <span role="status">{summaryOf(pages, filter)}</span>}
      actions={<Actions folder={folder} />}
    >
      {(isFiltered || !isNone) && <PromptsFilter tags={tags} labels={labels} />}
      <ListBody
        list={list}
        isEmpty={rows.length + folders.length === 0}
        empty={isFiltered || folder ? <NothingFound /> : <FirstPrompt />}
      >
        {folders.length > 0 && <Folders folders={folders} within={folder} />}
        {rows.length > 0 && (
          <PromptsTable
            rows={rows}
            tags={tags}
            folder={folder}
            list={folders.length > 0 ? undefined : list}
          />
        )}
      </ListBody>
    </Screen>
  );
};

const Actions = ({ folder }: { folder: string | undefined }) => {
  const { can } = useRole();
  return (
    <>
      <ButtonLink to="/prompts/deleted" variant="subtle">
        Deleted prompts
      </ButtonLink>
      <ButtonLink to="/prompts/live" variant="default" leftSection={<IconBroadcast size={15} aria-hidden />}>
        What is live
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/prompts/labels"
            search={folder === undefined ? {} : { folder }}
            variant="default"
            leftSection={<IconTags size={15} aria-hidden />}
          >
            Move labels
          </ButtonLink>
          <ButtonLink to="/prompts/new" {...NEW_CONTROL} leftSection={<IconPlus size={15} aria-hidden />}>
            New prompt
          </ButtonLink>
        </>
      )}
      {can('admin') && folder && (
        <MoreMenu variant="default" size={30} label="Actions for the folder">
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={15} aria-hidden />}
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

const NothingFound = () => (
  <Notice title="No matching prompts">
    <TextLink to="/prompts">Show all prompts</TextLink>
  </Notice>
);

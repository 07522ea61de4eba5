import { IconPlus, IconTags } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../../api/session-context.tsx';
import { counted } from '../../../components/count.ts';
import { NEW_CONTROL, Screen } from '../../../components/layout/screen.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';
import { ListBody, pagesOf } from '../../../components/tables/list-body.tsx';
import { type PromptFilter, promptListQuery } from '../prompt-queries.ts';
import { FirstPrompt } from './first-prompt.tsx';
import { Folders, FolderTrail } from './folders.tsx';
import { PromptsFilter } from './prompts-filter.tsx';
import { PromptsTable } from './prompts-table.tsx';

const route = getRouteApi('/prompts');

const useFilter = (): PromptFilter => {
  const { fetched, ...search } = route.useSearch();
  const { q, tag, label } = search;
  // A search includes all subfolders.
  const view = q || tag || label || fetched ? 'all' : 'folders';
  return { ...search, view, ...(fetched && { fetched: fetched === 'yes' }) };
};

/** All prompts: search, filters, sort order. */
export const PromptsScreen = () => {
  const filter = useFilter();
  const list = useInfiniteQuery(promptListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = filter.view === 'all';
  const rows = pages.flatMap(({ prompts }) => prompts);
  const { folder } = route.useSearch();
  const total = first && first.total + first.folders.reduce((sum, { prompts }) => sum + prompts, 0);
  return (
    <Screen
      title={folder?.split('/').at(-1) || 'Prompts'}
      above={folder && <FolderTrail name={folder} />}
      subtitle={
        total !== undefined && (
          <span role="status">
            {counted(total, 'prompt')}
            {isFiltered && ' found'}
          </span>
        )
      }
      actions={<Actions folder={folder} />}
    >
      {(isFiltered || total !== 0) && <PromptsFilter tags={first?.tags} labels={first?.labels} />}
      <ListBody
        list={list}
        isEmpty={rows.length === 0 && !first?.folders.length}
        empty={isFiltered || folder ? <NothingFound /> : <FirstPrompt />}
      >
        {first && first.folders.length > 0 && <Folders folders={first.folders} within={folder} />}
        {rows.length > 0 && <PromptsTable rows={rows} tags={first?.tags ?? []} folder={folder} list={list} />}
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
    </>
  );
};

const NothingFound = () => (
  <Notice title="No matching prompts">
    <TextLink to="/prompts">Show all prompts</TextLink>
  </Notice>
);

import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../../api/session-context.tsx';
import { Refreshing } from '../../../components/layout/refreshing.tsx';
import { Screen } from '../../../components/layout/screen.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { ErrorState, Loading, Notice } from '../../../components/states.tsx';
import { DataTable, type Sort } from '../../../components/tables/data-table.tsx';
import { ListEnd, nextPage, pagesOf } from '../../../components/tables/list-end.tsx';
import { type PromptFilter, type PromptRow, promptListQuery } from '../prompt-queries.ts';
import { FirstPrompt } from './first-prompt.tsx';
import { PROMPT_COLUMNS } from './prompts-columns.tsx';
import { PromptsFilter } from './prompts-filter.tsx';

const route = getRouteApi('/prompts');

const useFilter = (): PromptFilter => {
  const { fetched, ...search } = route.useSearch();
  return { ...search, ...(fetched && { fetched: fetched === 'yes' }) };
};

/** Every prompt: search, filters, order. */
export const PromptsScreen = () => {
  const filter = useFilter();
  const list = useInfiniteQuery(promptListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = Boolean(filter.q || filter.tag || filter.label || filter.fetched !== undefined);
  const rows = pages.flatMap(({ prompts }) => prompts);
  return (
    <Screen
      title="Prompts"
      subtitle={first && <span role="status">{counted(first.total, isFiltered)}</span>}
      actions={<Actions />}
    >
      {(isFiltered || (first && first.total > 0)) && (
        <PromptsFilter tags={first?.tags} labels={first?.labels} />
      )}
      {list.isPending && <Loading />}
      {list.isError && !first && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      <Refreshing when={list.isPlaceholderData}>
        {rows.length > 0 && <PromptsTable rows={rows} onEnd={nextPage(list)} />}
        {first?.total === 0 && (isFiltered ? <NothingFound /> : <FirstPrompt />)}
      </Refreshing>
      <ListEnd list={list} isEmpty={rows.length === 0} />
    </Screen>
  );
};

const counted = (total: number, isFiltered: boolean): string =>
  `${total.toLocaleString()} ${total === 1 ? 'prompt' : 'prompts'}${isFiltered ? ' found' : ''}`;

const Actions = () => {
  const { can } = useRole();
  return (
    <>
      <ButtonLink to="/prompts/deleted" variant="subtle" size="xs">
        Deleted prompts
      </ButtonLink>
      {can('editor') && (
        <ButtonLink to="/prompts/new" size="xs" leftSection={<IconPlus size={15} aria-hidden />}>
          New prompt
        </ButtonLink>
      )}
    </>
  );
};

const NothingFound = () => (
  <Notice title="No matching prompts">
    <TextLink to="/prompts">Show all prompts</TextLink>
  </Notice>
);

const PromptsTable = ({ rows, onEnd }: { rows: readonly PromptRow[]; onEnd: (() => void) | undefined }) => {
  const { sort = 'name', order = 'asc' } = route.useSearch();
  const navigate = route.useNavigate();
  const onSort = (next: Sort) =>
    void navigate({ search: (search) => ({ ...search, sort: next.by as typeof sort, order: next.order }) });
  return (
    <DataTable
      label="Prompts"
      columns={PROMPT_COLUMNS}
      rows={rows}
      rowKey={({ promptId }) => promptId}
      sort={{ by: sort, order }}
      onSort={onSort}
      onEnd={onEnd}
    />
  );
};

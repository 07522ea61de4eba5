import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DEFAULT_ENVIRONMENT } from '../../../../../contract/fields/patterns.ts';
import { useRole } from '../../../api/session-context.tsx';
import { foundOf } from '../../../components/count.ts';
import { inAddress, StoppedMark, useEnvironments } from '../../../components/environments.tsx';
import { IconFileImport, IconPlus } from '../../../components/icons.tsx';
import { NEW_CONTROL, Screen } from '../../../components/layout/screen.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import {
  Choice,
  EnvironmentChoice,
  FoldedFilters,
  SearchInput,
  useSorting,
} from '../../../components/tables/filters.tsx';
import { ListBody, type PagedList, pagesOf } from '../../../components/tables/list-body.tsx';
import { useSelection } from '../../../components/tables/use-selection.tsx';
import { openNewSecret } from '../dialogs.tsx';
import { dayIn, ROTATION_NEAR_DAYS } from '../rotation/rotation.ts';
import { type SecretFilter, type SecretRow, secretListQuery } from '../secret-queries.ts';
import { EnvironmentsTable } from './environments-table.tsx';
import { SECRET_COLUMNS } from './secrets-columns.tsx';
import { SelectionBar } from './selection-bar.tsx';

const route = getRouteApi('/secrets');

const useFilter = (): SecretFilter => {
  const { read, rotate, environment = '*', ...search } = route.useSearch();
  // What is about single secrets is listed as such.
  const isByKey = environment === '*' && !read && !rotate;
  return {
    ...search,
    sort: search.sort ?? (isByKey ? 'gaps' : 'key'),
    environment,
    ...(read && { read: read === 'yes' }),
    ...(rotate === 'unfinished' && { unfinished: true }),
    ...((rotate === 'overdue' || rotate === 'soon') && {
      rotateBy: dayIn(rotate === 'overdue' ? -1 : ROTATION_NEAR_DAYS),
    }),
  };
};

/** All secrets without their values: search, filters, sort order. */
export const SecretsScreen = () => {
  const filter = useFilter();
  const environments = useEnvironments();
  const list = useInfiniteQuery(secretListQuery(filter));
  const pages = pagesOf(list);
  const [first] = pages;
  const isFiltered = Boolean(
    filter.q || filter.tag || filter.rotateBy || filter.unfinished || filter.read !== undefined,
  );
  const rows = pages.flatMap(({ secrets }) => secrets);
  return (
    <Screen
      title="Secrets"
      beside={<StoppedMark />}
      subtitle={first && <span role="status">{foundOf(first.total, 'secret', isFiltered)}</span>}
      actions={<Actions />}
    >
      {(isFiltered || first?.total !== 0) && <SecretsFilter tags={first?.tags} />}
      <ListBody
        list={list}
        isEmpty={rows.length === 0}
        empty={isFiltered ? <NothingFound /> : <FirstSecret />}
      >
        {filter.sort === 'gaps' && environments.length > 1 ? (
          <EnvironmentsTable secrets={rows} list={list} />
        ) : (
          <SecretsTable rows={rows} list={list} />
        )}
      </ListBody>
    </Screen>
  );
};

const Actions = () => {
  const { can } = useRole();
  const { environment } = route.useSearch();
  const search = inAddress(environment ?? DEFAULT_ENVIRONMENT);
  return (
    <>
      <ButtonLink to="/secrets/deleted" search={search} variant="subtle">
        Deleted secrets
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/secrets/import"
            search={search}
            variant="default"
            leftSection={<IconFileImport size={15} />}
          >
            Import .env
          </ButtonLink>
          <Button onClick={() => openNewSecret(environment ? { environment } : {})} {...NEW_CONTROL}>
            New secret
          </Button>
        </>
      )}
    </>
  );
};

const NothingFound = () => (
  <Notice title="No matching secrets">
    <TextLink to="/secrets">Show all secrets</TextLink>
  </Notice>
);

const FirstSecret = () => (
  <Notice title="Put passwords and tokens here, not into files">
    <Text size="md">
      A secret is a value under the name that an application expects in its environment, such as{' '}
      <code>DATABASE_URL</code>. A value is sealed when you save it: nobody can look at it here again,
      administrators included. The last ten are kept, so that you can roll back to one without seeing it. Tags
      decide which API key sees what.
    </Text>
    {useRole().can('editor') ? (
      <Button size="sm" onClick={() => openNewSecret()} leftSection={<IconPlus size={16} />}>
        Add the first secret
      </Button>
    ) : (
      <Text size="md" c="dimmed">
        Editors and administrators can add secrets.
      </Text>
    )}
  </Notice>
);

const READ = [
  { value: 'yes', label: 'Read in 30 days' },
  { value: 'no', label: 'Not read in 30 days' },
];

const ROTATION = [
  { value: 'overdue', label: 'Rotation overdue' },
  { value: 'soon', label: 'Rotate within 14 days' },
  { value: 'unfinished', label: 'Old credential not disabled' },
];

/** Filters the list of secrets; the filter is part of the address. */
const SecretsFilter = ({ tags = [] }: { tags: readonly string[] | undefined }) => (
  <Group gap="xs" mb="sm">
    <SearchInput name="q" label="Search keys and tags" />
    <FoldedFilters names={['environment', 'tag', 'read', 'rotate']}>
      <EnvironmentChoice placeholder="All environments" width={170} />
      <Choice name="tag" label="Tag" options={tags} />
      <Choice name="read" label="Use" options={READ} width={170} />
      <Choice name="rotate" label="Rotation" options={ROTATION} width={210} />
    </FoldedFilters>
  </Group>
);

const OF_SECRETS = {
  idOf: ({ secretId }: SecretRow) => secretId,
  nameOf: ({ key }: SecretRow) => key,
  what: 'secrets',
};

const SecretsTable = ({ rows, list }: { rows: readonly SecretRow[]; list: PagedList }) => {
  const { chosen, column, select } = useSelection(rows, OF_SECRETS);
  const columns = [column, ...SECRET_COLUMNS];
  return (
    <>
      {chosen.length > 0 && <SelectionBar secrets={chosen} onSelect={select} />}
      <DataTable
        label="Secrets"
        columns={columns}
        rows={rows}
        rowKey={({ secretId }) => secretId}
        {...useSorting({ by: 'key', order: 'asc' })}
        list={list}
      />
    </>
  );
};

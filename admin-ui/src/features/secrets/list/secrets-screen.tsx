import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { DEFAULT_ENVIRONMENT } from '../../../../../contract/fields/patterns.ts';
import { useRole } from '../../../api/session-context.tsx';
import { inAddress, StoppedMark, useEnvironments } from '../../../components/environments.tsx';
import { IconFileImport, IconPlus } from '../../../components/icons.tsx';
import { NEW_CONTROL } from '../../../components/layout/screen.tsx';
import { ButtonLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';
import { DataTable, type Selectable } from '../../../components/tables/data-table.tsx';
import { Choice } from '../../../components/tables/filters.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { ListScreen } from '../../../components/tables/list-screen.tsx';
import { openNewSecret } from '../dialogs.tsx';
import { dayIn, ROTATION_NEAR_DAYS } from '../rotation/rotation.ts';
import { type SecretFilter, type SecretRow, secretListQuery } from '../secret-queries.ts';
import { EnvironmentsTable } from './environments-table.tsx';
import { SecretActs } from './secret-acts.tsx';
import { secretColumns } from './secrets-columns.tsx';

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
  const rows = pages.flatMap(({ secrets }) => secrets);
  const isWhole = !filter.q && !filter.tag;
  const isByKey =
    environments.length > 1 &&
    filter.environment === '*' &&
    (filter.sort === 'gaps' ||
      (filter.sort === 'key' &&
        isWhole &&
        !filter.rotateBy &&
        !filter.unfinished &&
        filter.read === undefined));
  return (
    <ListScreen
      title="Secrets"
      one="secret"
      list={list}
      total={first?.total}
      isEmpty={rows.length === 0}
      beside={<StoppedMark />}
      actions={<Actions />}
      search="Search keys and tags"
      more={
        environments.length > 1 && (
          <Choice
            name="sort"
            label="Sort"
            options={SORTS}
            value={String(filter.sort)}
            clearable={false}
            width={130}
          />
        )
      }
      filters={[
        ...(environments.length > 1
          ? [{ ...ENVIRONMENT, options: environments.map(({ name }) => name) } as const]
          : []),
        { name: 'tag', label: 'Tag', options: first?.tags ?? [] },
        { name: 'read', label: 'Use', options: READ_OPTIONS, width: 170 },
        { name: 'rotate', label: 'Rotation', options: ROTATION, width: 210 },
      ]}
      first={<FirstSecret />}
    >
      {isByKey ? (
        <EnvironmentsTable secrets={rows} list={list} />
      ) : (
        <DataTable
          label="Secrets"
          columns={secretColumns(filter.environment !== '*')}
          rows={rows}
          rowKey={({ secretId }) => secretId}
          sort={{ by: 'key', order: 'asc' }}
          select={SELECT}
          list={list}
        />
      )}
    </ListScreen>
  );
};

const SORTS = [
  { value: 'gaps', label: 'Gaps first' },
  { value: 'key', label: 'By name' },
  { value: 'read', label: 'Last read' },
  { value: 'changed', label: 'Last changed' },
];

const ENVIRONMENT = {
  name: 'environment',
  label: 'Environment',
  placeholder: 'All environments',
  width: 170,
} as const;

const SELECT: Selectable<SecretRow> = {
  one: 'secret',
  nameOf: ({ key }) => key,
  acts: (secrets, onSelect) => <SecretActs secrets={secrets} onSelect={onSelect} />,
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

const READ_OPTIONS = [
  { value: 'yes', label: 'Read in 30 days' },
  { value: 'no', label: 'Not read in 30 days' },
];

const ROTATION = [
  { value: 'overdue', label: 'Rotation overdue' },
  { value: 'soon', label: 'Rotate within 14 days' },
  { value: 'unfinished', label: 'Old credential not disabled' },
];

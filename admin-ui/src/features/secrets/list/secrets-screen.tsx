import { Button } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRole } from '../../../api/session-context.tsx';
import { foundOf } from '../../../components/count.ts';
import {
  inAddress,
  StoppedMark,
  useEnvironment,
  useEnvironments,
} from '../../../components/environments.tsx';
import { NEW_CONTROL, Screen } from '../../../components/layout/screen.tsx';
import { ButtonLink, TextLink } from '../../../components/link.tsx';
import { Notice } from '../../../components/states.tsx';
import { ListBody, pagesOf } from '../../../components/tables/list-body.tsx';
import { openNewSecret } from '../new-secret-dialog.tsx';
import { dayIn, ROTATION_NEAR_DAYS } from '../rotation/rotation.ts';
import { type SecretFilter, secretListQuery } from '../secret-queries.ts';
import { EnvironmentsTable } from './environments-table.tsx';
import { FirstSecret } from './first-secret.tsx';
import { SecretsFilter } from './secrets-filter.tsx';
import { SecretsTable } from './secrets-table.tsx';

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
  const environment = useEnvironment();
  return (
    <>
      <ButtonLink to="/secrets/deleted" search={inAddress(environment)} variant="subtle">
        Deleted secrets
      </ButtonLink>
      {can('editor') && (
        <>
          <ButtonLink
            to="/secrets/import"
            search={inAddress(environment)}
            variant="default"
            leftSection={<IconFileImport size={15} aria-hidden />}
          >
            Import .env
          </ButtonLink>
          <Button
            onClick={() => openNewSecret({ environment })}
            {...NEW_CONTROL}
            leftSection={<IconPlus size={15} aria-hidden />}
          >
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

import { Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { TextLink } from '../../components/basics.tsx';
import { type DeletedKind, DeletedNotice, DeletedScreen } from '../../components/deleted.tsx';
import { inAddress, type SecretRef, secretPage, useEnvironment } from '../../components/environments.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import { EnvironmentChoice } from '../../components/tables/filters.tsx';
import {
  type DeletedSecret,
  deletedSecretQuery,
  deletedSecretsQuery,
  restoreSecret,
} from './secret-queries.ts';

const SECRETS: DeletedKind<DeletedSecret> = {
  one: 'secret',
  nameOf: ({ key }) => key,
  restore: restoreSecret,
  page: secretPage,
};

export const DeletedSecretsScreen = () => {
  const environment = useEnvironment();
  const list = useInfiniteQuery(deletedSecretsQuery(environment));
  return (
    <DeletedScreen
      of={SECRETS}
      above={
        <Group>
          <TextLink to="/secrets">Secrets</TextLink>
          <EnvironmentChoice value={environment} clearable={false} />
        </Group>
      }
      list={list}
      rows={pagesOf(list).flatMap(({ secrets }) => secrets)}
    />
  );
};

/** Shown instead of a secret that does not exist; restores it if possible. */
export const MissingSecret = (secret: SecretRef) => (
  <DeletedNotice
    of={SECRETS}
    query={useQuery(deletedSecretQuery(secret))}
    list={
      <TextLink to="/secrets/deleted" search={inAddress(secret.environment)}>
        Deleted secrets
      </TextLink>
    }
  />
);

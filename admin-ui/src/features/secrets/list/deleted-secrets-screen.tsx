import { Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedScreen } from '../../../components/deleted/deleted-screen.tsx';
import { secretPage, useEnvironment } from '../../../components/environments.tsx';
import { TextLink } from '../../../components/link.tsx';
import { pagesOf } from '../../../components/tables/data-table.tsx';
import { EnvironmentChoice } from '../../../components/tables/filters.tsx';
import { deletedSecretsQuery, restoreSecret } from '../secret-queries.ts';

export const DeletedSecretsScreen = () => {
  const environment = useEnvironment();
  const list = useInfiniteQuery(deletedSecretsQuery(environment));
  const navigate = useNavigate();
  return (
    <DeletedScreen
      kind="secret"
      above={
        <Group>
          <TextLink to="/secrets">Secrets</TextLink>
          <EnvironmentChoice value={environment} clearable={false} />
        </Group>
      }
      list={list}
      rows={pagesOf(list).flatMap(({ secrets }) => secrets)}
      rowKey={({ secretId }) => secretId}
      columns={[{ title: 'Key', cell: ({ key }) => <span className="cv-mono cv-break">{key}</span> }]}
      restoring={(secret) => ({
        name: secret.key,
        restore: (confirmed) => restoreSecret(secret, confirmed),
        show: () => navigate(secretPage(secret)),
      })}
    />
  );
};

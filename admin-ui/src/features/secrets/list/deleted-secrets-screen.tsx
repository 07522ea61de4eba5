import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedScreen } from '../../../components/deleted/deleted-screen.tsx';
import { TextLink } from '../../../components/link.tsx';
import { pagesOf } from '../../../components/tables/list-body.tsx';
import { restoreSecret } from '../secret-changes.ts';
import { deletedSecretsQuery } from '../secret-queries.ts';

export const DeletedSecretsScreen = () => {
  const list = useInfiniteQuery(deletedSecretsQuery);
  const navigate = useNavigate();
  return (
    <DeletedScreen
      kind="secret"
      above={<TextLink to="/secrets">Secrets</TextLink>}
      list={list}
      rows={pagesOf(list).flatMap(({ secrets }) => secrets)}
      rowKey={({ secretId }) => secretId}
      columns={[{ title: 'Key', cell: ({ key }) => <span className="cv-mono cv-break">{key}</span> }]}
      restoring={({ secretId, key }) => ({
        name: key,
        restore: (confirmed) => restoreSecret(secretId, confirmed),
        show: () => navigate({ to: '/secrets/$secretId', params: { secretId } }),
      })}
    />
  );
};

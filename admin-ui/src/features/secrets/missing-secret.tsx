import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedNotice } from '../../components/deleted/deleted-notice.tsx';
import { TextLink } from '../../components/link.tsx';
import { Loading, NotFound } from '../../components/states.tsx';
import { restoreSecret } from './secret-changes.ts';
import { deletedSecretQuery } from './secret-queries.ts';

/** Shown instead of a secret that does not exist; restores it if possible. */
export const MissingSecret = ({ secretId }: { secretId: string }) => {
  const navigate = useNavigate();
  const { isPending, data: deleted } = useQuery(deletedSecretQuery(secretId));
  if (isPending) return <Loading />;
  if (!deleted) return <NotFound what="secret" />;
  return (
    <DeletedNotice
      kind="secret"
      {...deleted}
      name={deleted.key}
      restore={(confirmed) => restoreSecret(secretId, confirmed)}
      show={() => navigate({ to: '/secrets/$secretId', params: { secretId } })}
      list={<TextLink to="/secrets/deleted">Deleted secrets</TextLink>}
    />
  );
};

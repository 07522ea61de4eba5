import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedNotice } from '../../components/deleted/deleted-notice.tsx';
import { TextLink } from '../../components/link.tsx';
import { restoreSecret } from './secret-changes.ts';
import { deletedSecretQuery } from './secret-queries.ts';

/** Shown instead of a secret that does not exist; restores it if possible. */
export const MissingSecret = ({ secretId }: { secretId: string }) => {
  const navigate = useNavigate();
  return (
    <DeletedNotice
      kind="secret"
      query={useQuery(deletedSecretQuery(secretId))}
      nameOf={({ key }) => key}
      restore={(confirmed) => restoreSecret(secretId, confirmed)}
      show={() => navigate({ to: '/secrets/$secretId', params: { secretId } })}
      list={<TextLink to="/secrets/deleted">Deleted secrets</TextLink>}
    />
  );
};

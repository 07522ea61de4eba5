import { useNavigate } from '@tanstack/react-router';
import { LIMITS } from '../../../../contract/limits.ts';
import { DeleteMenu } from '../../components/dialogs/delete-menu.tsx';
import { RecentReaders } from './readers.tsx';
import { deleteSecret } from './secret-changes.ts';
import type { Secret } from './secret-queries.ts';

/** Further actions on a secret. */
export const SecretMenu = ({ secret }: { secret: Secret }) => {
  const navigate = useNavigate();
  return (
    <DeleteMenu
      kind="secret"
      name={secret.key}
      remove={() => deleteSecret(secret.secretId)}
      leave={() => navigate({ to: '/secrets' })}
      affected={<RecentReaders secretId={secret.secretId} outcome="no longer get it" />}
      text={
        <>
          Reads no longer return <strong className="cv-break">{secret.key}</strong>. It can be restored with
          its values for {LIMITS.restoreDays} days.
        </>
      }
    />
  );
};

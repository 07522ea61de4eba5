import { MAIL_FILE } from '../../../../contract/sign-in.ts';
import { useSession } from '../../api/session-context.tsx';

/** The sentence that says how an operator gets a temporary password, and where to sign in. */
export const usePasswordPlace = (): string => {
  const { config } = useSession();
  const place = config.mails
    ? 'The temporary password is mailed, and expires in seven days.'
    : `Nothing is mailed here: the temporary password is in ${MAIL_FILE} in the data folder.`;
  return `${place} They sign in at ${location.origin}.`;
};

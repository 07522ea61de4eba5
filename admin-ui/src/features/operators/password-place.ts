import { MAIL_FILE } from '../../../../contract/sign-in.ts';
import { useSession } from '../../api/session-context.tsx';

export const WHERE = `They sign in at ${location.origin}.`;

/** The sentence that says how an operator gets a temporary password. */
export const usePasswordPlace = (): string => {
  const { config } = useSession();
  return config.mails
    ? 'The temporary password is mailed, and expires in seven days.'
    : `Nothing is mailed here: the temporary password is in ${MAIL_FILE} in the data folder.`;
};

import { useSession } from '../../api/session-context.tsx';

export const WHERE = `They sign in at ${location.origin}.`;

/** The sentence that says how an operator can sign in now. */
export const usePasswordPlace = (): string => {
  const { config } = useSession();
  return config.mails
    ? 'The temporary password is mailed, and expires in seven days.'
    : 'Nothing is mailed here, and nobody has a password: continue as them from their menu in this list.';
};

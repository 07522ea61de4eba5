import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedNotice } from '../../components/deleted/deleted-notice.tsx';
import { TextLink } from '../../components/link.tsx';
import { Loading, NotFound } from '../../components/states.tsx';
import { restorePrompt } from './prompt-changes.ts';
import { deletedPromptQuery } from './prompt-queries.ts';

/** Shown instead of a prompt that does not exist; restores it if possible. */
export const MissingPrompt = ({ promptId }: { promptId: string }) => {
  const navigate = useNavigate();
  const { isPending, data: deleted } = useQuery(deletedPromptQuery(promptId));
  if (isPending) return <Loading />;
  if (!deleted) return <NotFound what="prompt" />;
  return (
    <DeletedNotice
      kind="prompt"
      {...deleted}
      restore={() => restorePrompt(promptId)}
      show={() => navigate({ to: '/prompts/$promptId', params: { promptId } })}
      list={<TextLink to="/prompts/deleted">Deleted prompts</TextLink>}
    />
  );
};

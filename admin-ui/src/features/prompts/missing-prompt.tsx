import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DeletedNotice } from '../../components/deleted/deleted-screen.tsx';
import { promptPage, TextLink } from '../../components/link.tsx';
import { deletedPromptQuery, restorePrompt } from './prompt-queries.ts';

/** Shown instead of a prompt that does not exist; restores it if possible. */
export const MissingPrompt = ({ promptId }: { promptId: string }) => {
  const navigate = useNavigate();
  return (
    <DeletedNotice
      kind="prompt"
      query={useQuery(deletedPromptQuery(promptId))}
      nameOf={({ name }) => name}
      restore={() => restorePrompt(promptId)}
      show={() => navigate(promptPage(promptId))}
      list={<TextLink to="/prompts/deleted">Deleted prompts</TextLink>}
    />
  );
};

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { PromptLink, promptPage, TextLink } from '../../components/basics.tsx';
import { type DeletedKind, DeletedNotice, DeletedScreen } from '../../components/deleted.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import {
  type DeletedPrompt,
  deletedPromptQuery,
  deletedPromptsQuery,
  knownPrompt,
  restorePrompt,
} from './prompt-queries.ts';

const PROMPTS: DeletedKind<DeletedPrompt> = {
  one: 'prompt',
  nameOf: ({ name }) => name,
  restore: ({ promptId }) => restorePrompt(promptId),
  page: ({ promptId }) => promptPage(promptId),
};

export const DeletedPromptsScreen = () => {
  const list = useInfiniteQuery(deletedPromptsQuery);
  return <DeletedScreen of={PROMPTS} list={list} rows={pagesOf(list).flatMap(({ prompts }) => prompts)} />;
};

/** Shown instead of a prompt that does not exist; restores it if possible. */
export const MissingPrompt = ({ promptId }: { promptId: string }) => (
  <DeletedNotice
    of={PROMPTS}
    query={useQuery(deletedPromptQuery(promptId))}
    list={<TextLink to="/prompts/deleted">Deleted prompts</TextLink>}
  />
);

/** What a screen below that of a prompt shows before the prompt is read, and if it does not exist. */
export const beforePrompt = (promptId: string) => ({
  frame: { above: <PromptLink {...knownPrompt(promptId)} /> },
  missing: <MissingPrompt promptId={promptId} />,
});

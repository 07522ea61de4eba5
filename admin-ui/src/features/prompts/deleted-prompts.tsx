import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { promptPage, TextLink } from '../../components/basics.tsx';
import { type DeletedKind, DeletedNotice, DeletedScreen } from '../../components/deleted.tsx';
import { pagesOf } from '../../components/tables/data-table.tsx';
import {
  type DeletedPrompt,
  deletedPromptQuery,
  deletedPromptsQuery,
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

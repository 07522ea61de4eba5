import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Content } from '../../../../../contract/content/content.ts';
import { isDenied, messageOf } from '../../../api/api-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { served } from '../../../components/prompt-content.ts';
import { versionQuery } from '../prompt-queries.ts';
import { type Expansion, expansionOf, type FoundFragment, promptIdOf } from './expansion.ts';

const partsOf = (include: string) => {
  const [, name = '', version = ''] = /^(.+)@(\d+\.\d+\.\d+)$/.exec(include) ?? [];
  return { name, version };
};

const readFragment = async (include: string): Promise<FoundFragment> => {
  const { name, version } = partsOf(include);
  if (name === '') return { include, name, problem: `Write ${include} with its version: ${include}@1.0.0.` };
  try {
    const found = served(await queryClient.fetchQuery(versionQuery(await promptIdOf(name), version)));
    return found.type === 'chat'
      ? { include, name, problem: `${include} is a chat. Only text prompts can be included.` }
      : { include, name, fragment: { prompt: found.prompt, variables: found.variables } };
  } catch (error) {
    if (!isDenied(error)) throw error;
    return { include, name, problem: `There is no ${include}.` };
  }
};

const fragmentsQuery = (includes: readonly string[]) =>
  queryOptions({
    queryKey: ['fragments', includes],
    queryFn: () => Promise.all(includes.map(readFragment)),
    placeholderData: (earlier) => earlier,
  });

/** A content that is edited, with the fragments that it includes. */
export const useExpansion = (content: Content): Expansion => {
  const includes = content.includes ?? [];
  const query = useQuery({ ...fragmentsQuery(includes), enabled: includes.length > 0 });
  if (includes.length === 0) return { content, isPending: false };
  const expansion = expansionOf(content, query.data ?? []);
  return {
    ...expansion,
    problem: query.isLoadingError ? messageOf(query.error) : expansion.problem,
    isPending: query.isPending || query.isPlaceholderData,
  };
};

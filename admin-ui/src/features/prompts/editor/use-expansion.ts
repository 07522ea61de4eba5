import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Content } from '../../../../../contract/content/content.ts';
import { type Fragment, fragmentNameOf } from '../../../../../contract/content/fragments.ts';
import { isDenied, messageOf } from '../../../api/api-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { served } from '../../../components/prompt-content.ts';
import { versionQuery } from '../prompt-queries.ts';
import { expansionOf, promptIdOf } from './expansion.ts';

const readFragment = async (include: string): Promise<Fragment | string> => {
  const name = fragmentNameOf(include);
  if (name === include) return `Write ${include} with its version: ${include}@1.0.0.`;
  try {
    const version = versionQuery(await promptIdOf(name), include.slice(name.length + 1));
    const found = served(await queryClient.fetchQuery(version));
    return found.type === 'chat' ? `${include} is a chat. Only text prompts can be included.` : found;
  } catch (error) {
    if (!isDenied(error)) throw error;
    return `There is no ${include}.`;
  }
};

const fragmentsQuery = (includes: readonly string[]) =>
  queryOptions({
    queryKey: ['fragments', includes],
    queryFn: () =>
      Promise.all(includes.map(async (include) => [include, await readFragment(include)] as const)),
    placeholderData: (earlier) => earlier,
    enabled: includes.length > 0,
  });

/** A content that is edited, with the fragments that it includes. */
export const useExpansion = (content: Content) => {
  const { includes = [] } = content;
  const query = useQuery(fragmentsQuery(includes));
  const isPending = query.isPending || query.isPlaceholderData;
  const failure = query.isLoadingError ? messageOf(query.error) : undefined;
  // Of a large text, each of its steps takes longer than the next key press.
  return useMemo(
    () =>
      includes.length === 0
        ? expansionOf(content)
        : expansionOf(content, { fragments: query.data, isPending, failure }),
    [content, includes.length, query.data, isPending, failure],
  );
};

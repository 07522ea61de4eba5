import { queryOptions } from '@tanstack/react-query';
import { promptsGet } from '../../../../../contract/endpoints/prompts/prompts-get.ts';
import { versionsGet } from '../../../../../contract/endpoints/versions.ts';
import { call } from '../../../api/client.ts';
import type { PromptDetails, Version } from '../prompt-queries.ts';

/** The starting point of a new version. */
export interface Start extends Pick<PromptDetails, 'prompt' | 'draft'> {
  readonly latest: Version;
}

/** Reads the current prompt with its draft and its latest version. */
export const readStart = async (promptId: string, signal?: AbortSignal): Promise<Start> => {
  const { prompt, draft } = await call(promptsGet, { params: { promptId }, signal });
  const params = { promptId, version: prompt.latest };
  return { prompt, draft, latest: (await call(versionsGet, { params, signal })).version };
};

/** Read once when the editor opens, so that later input is not replaced. */
export const startQuery = (promptId: string) =>
  queryOptions({
    queryKey: ['prompt-draft-start', promptId],
    queryFn: ({ signal }) => readStart(promptId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

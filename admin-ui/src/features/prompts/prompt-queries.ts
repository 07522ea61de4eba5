import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import {
  eventsList,
  promptsGet,
  promptsList,
  promptsListDeleted,
} from '../../../../contract/endpoints/prompts.ts';
import { accessesList, usageGet } from '../../../../contract/endpoints/usage.ts';
import { versionsGet, versionsList } from '../../../../contract/endpoints/versions.ts';
import { call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, readAll, replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';

export type PromptPage = ReplyOf<typeof promptsList>;
export type PromptRow = PromptPage['prompts'][number];
export type PromptDetails = ReplyOf<typeof promptsGet>;
export type Prompt = PromptDetails['prompt'];
export type Draft = NonNullable<PromptDetails['draft']>;
export type Version = ReplyOf<typeof versionsGet>['version'];
export type VersionRow = ReplyOf<typeof versionsList>['versions'][number];
export type DeletedPrompt = ReplyOf<typeof promptsListDeleted>['prompts'][number];
export type Usage = ReplyOf<typeof usageGet>;

export type PromptFilter = QueryOf<typeof promptsList>;

/** The query key of everything about prompts: a change invalidates all of it. */
export const PROMPTS_KEY = ['prompts'];

/** Prompts on a page. The fetches of each are a read of their own, so it is shorter than those of other lists. */
const PROMPTS_PAGE = 40;

export const promptListQuery = (filter: PromptFilter) =>
  listQuery([...PROMPTS_KEY, 'list', filter], promptsList, { query: filter }, PROMPTS_PAGE);

const VERSIONS_KEY = ['prompt-versions'];

/** Removes a version, or all versions of a prompt, from the cache. */
export const forgetVersions = (promptId: string, ...version: readonly string[]): void =>
  queryClient.removeQueries({ queryKey: [...VERSIONS_KEY, promptId, ...version] });

/** A published version never changes. */
export const versionQuery = (promptId: string, version: string) =>
  queryOptions({
    queryKey: [...VERSIONS_KEY, promptId, version],
    queryFn: async ({ signal }) =>
      (await call(versionsGet, { params: { promptId, version }, signal })).version,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** @param version the one to read with it; without it, the one that is live */
const readPrompt = async (promptId: string, version?: string, signal?: AbortSignal) => {
  const query = version === undefined ? {} : { version };
  const details = await call(promptsGet, { params: { promptId }, query, signal });
  if (details.version)
    queryClient.setQueryData(versionQuery(promptId, details.version.version).queryKey, details.version);
  return details;
};

/** All that the page of a prompt shows at first. Which calls fail changes within seconds. */
export const promptQuery = (promptId: string, version?: string) =>
  queryOptions({
    queryKey: [...PROMPTS_KEY, promptId],
    queryFn: ({ signal }) => readPrompt(promptId, version, signal),
    staleTime: 5_000,
  });

/** The starting point of a new version. */
export interface Start extends Pick<PromptDetails, 'prompt' | 'draft'> {
  readonly latest: Version;
}

/** Reads the current prompt with its draft and its latest version. */
export const readStart = async (promptId: string, signal?: AbortSignal): Promise<Start> => {
  const { prompt, draft, version } = await readPrompt(promptId, 'latest', signal);
  if (version === null) throw new Error(`${prompt.name} ${prompt.latest} is missing.`);
  return { prompt, draft, latest: version };
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

/** The versions after those that the page of a prompt shows at first. */
export const moreVersionsQuery = (promptId: string, cursor: string | undefined) =>
  infiniteQueryOptions({
    ...listQuery([...PROMPTS_KEY, promptId, 'versions', cursor], versionsList, { params: { promptId } }),
    initialPageParam: cursor,
    enabled: false,
  });

/** All versions, highest first, from all pages. */
export const versionsQuery = (promptId: string) =>
  queryOptions({
    queryKey: [...PROMPTS_KEY, promptId, 'versions'],
    queryFn: ({ signal }) =>
      readAll(versionsList, { params: { promptId }, signal }, ({ versions }) => versions),
  });

/** The changes of a label, latest first. */
export const eventsQuery = (promptId: string, label: string) =>
  replyQuery([...PROMPTS_KEY, promptId, 'events', label], eventsList, {
    params: { promptId },
    query: { label },
  });

export const usageQuery = (promptId: string, days: number) =>
  replyQuery([...PROMPTS_KEY, promptId, 'usage', days], usageGet, { params: { promptId }, query: { days } });

export const deletedPromptsQuery = listQuery([...PROMPTS_KEY, 'deleted'], promptsListDeleted);

/** A deleted prompt that can be restored, or null. Not cached, because it may be restored soon. */
export const deletedPromptQuery = (promptId: string) =>
  queryOptions({
    queryKey: ['deleted-prompt', promptId],
    queryFn: async ({ signal }) =>
      (await call(promptsListDeleted, { query: { promptId }, signal })).prompts[0] ?? null,
    gcTime: 0,
  });

export type Access = ReplyOf<typeof accessesList>['accesses'][number];

export type AccessFilter = QueryOf<typeof accessesList>;

export const accessesQuery = (promptId: string, filter: AccessFilter) =>
  listQuery([...PROMPTS_KEY, promptId, 'accesses', filter], accessesList, {
    params: { promptId },
    query: filter,
  });

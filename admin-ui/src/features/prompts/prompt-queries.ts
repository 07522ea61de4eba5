import { queryOptions } from '@tanstack/react-query';
import { eventsList } from '../../../../contract/endpoints/prompts/events-list.ts';
import { promptsGet } from '../../../../contract/endpoints/prompts/prompts-get.ts';
import { promptsList } from '../../../../contract/endpoints/prompts/prompts-list.ts';
import { promptsListDeleted } from '../../../../contract/endpoints/prompts/prompts-list-deleted.ts';
import { callersList, usageGet } from '../../../../contract/endpoints/usage.ts';
import { versionsGet, versionsList } from '../../../../contract/endpoints/versions.ts';
import { call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, readAll, replyQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';

export type PromptRow = ReplyOf<typeof promptsList>['prompts'][number];
export type PromptDetails = ReplyOf<typeof promptsGet>;
export type Prompt = PromptDetails['prompt'];
export type Draft = NonNullable<PromptDetails['draft']>;
export type Version = ReplyOf<typeof versionsGet>['version'];
export type VersionRow = ReplyOf<typeof versionsList>['versions'][number];
export type DeletedPrompt = ReplyOf<typeof promptsListDeleted>['prompts'][number];
export type Usage = ReplyOf<typeof usageGet>;
export type PromptEvent = ReplyOf<typeof eventsList>['events'][number];

export type PromptFilter = QueryOf<typeof promptsList>;

/** The query key of everything about prompts: a change invalidates all of it. */
export const PROMPTS_KEY = ['prompts'];

/** Prompts on a page. The fetches of each are a read of their own, so it is shorter than those of other lists. */
const PROMPTS_PAGE = 40;

export const promptListQuery = (filter: PromptFilter) =>
  listQuery([...PROMPTS_KEY, 'list', filter], promptsList, { query: filter }, PROMPTS_PAGE);

/** Which calls fail changes within seconds. */
export const promptQuery = (promptId: string) => ({
  ...replyQuery([...PROMPTS_KEY, promptId], promptsGet, { params: { promptId } }),
  staleTime: 5_000,
});

/** All versions, highest first, from all pages. */
export const versionsQuery = (promptId: string) =>
  queryOptions({
    queryKey: [...PROMPTS_KEY, promptId, 'versions'],
    queryFn: ({ signal }) =>
      readAll(versionsList, { params: { promptId }, signal }, ({ versions }) => versions),
  });

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

/** The API keys that fetched a prompt within seven days, and what they asked for. */
export const callersQuery = (promptId: string) =>
  replyQuery([...PROMPTS_KEY, promptId, 'callers'], callersList, { params: { promptId } });

/** The changes of a prompt, or of one of its labels, latest first. */
export const eventsQuery = (promptId: string, label?: string) =>
  replyQuery([...PROMPTS_KEY, promptId, 'events', label ?? null], eventsList, {
    ...{ params: { promptId }, query: label === undefined ? {} : { label } },
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

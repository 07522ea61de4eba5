import { queryOptions } from '@tanstack/react-query';
import { labelsRemove, labelsSet } from '../../../../contract/endpoints/labels.ts';
import {
  eventsList,
  examplesSave,
  promptsCreate,
  promptsDelete,
  promptsGet,
  promptsList,
  promptsListDeleted,
  promptsRestore,
} from '../../../../contract/endpoints/prompts.ts';
import { accessesList, usageGet } from '../../../../contract/endpoints/usage.ts';
import {
  draftsDelete,
  versionsDelete,
  versionsGet,
  versionsList,
  versionsPublish,
} from '../../../../contract/endpoints/versions.ts';
import type { JsonObject } from '../../../../contract/fields/fields.ts';
import { type CallInput, call, type QueryOf, type ReplyOf } from '../../api/client.ts';
import { listQuery, queryClient, readAll, reloaderOf, replyQuery } from '../../api/queries.ts';
import { notifyDone } from '../../components/dialogs.tsx';

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
const forgetVersions = (promptId: string, ...version: readonly string[]): void =>
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
  const details = await call(promptsGet, { params: { promptId }, query: { version }, signal });
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

/** A prompt as it was read last; until then, without its name. */
export const knownPrompt = (promptId: string): Pick<Prompt, 'promptId' | 'name'> =>
  queryClient.getQueryData(promptQuery(promptId).queryKey)?.prompt ?? { promptId, name: 'Prompt' };

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

const reloadAfter = reloaderOf(PROMPTS_KEY);

export const createPrompt = (body: NonNullable<CallInput<typeof promptsCreate>['body']>) =>
  reloadAfter(call(promptsCreate, { body }));

/** Publishes a version, and points `label` to it in the same step if one is given. */
export const publishVersion = (
  promptId: string,
  body: NonNullable<CallInput<typeof versionsPublish>['body']>,
) => reloadAfter(call(versionsPublish, { params: { promptId }, body }));

/** The screen is about to be left, so its data is not read again; the cached data of the prompt is removed. */
export const deletePrompt = async (promptId: string, confirm: boolean): Promise<void> => {
  await call(promptsDelete, { params: { promptId }, query: { confirm } });
  void queryClient.invalidateQueries({ queryKey: PROMPTS_KEY, refetchType: 'none' });
  queryClient.removeQueries({ queryKey: [...PROMPTS_KEY, promptId] });
  forgetVersions(promptId);
};

export const restorePrompt = (promptId: string) =>
  reloadAfter(call(promptsRestore, { params: { promptId } }));

export const deleteVersion = async (promptId: string, version: string, confirm: boolean): Promise<void> => {
  const params = { promptId, version };
  await reloadAfter(call(versionsDelete, { params, query: { confirm } }));
  forgetVersions(promptId, version);
};

/** Points a label to a version, if it still points to `expected` (`none`: if it is new). */
const setLabel = (promptId: string, label: string, version: string, expected: string) =>
  reloadAfter(call(labelsSet, { params: { promptId, label }, body: { version, expected } }));

export const removeLabel = (promptId: string, label: string, rev: number) =>
  reloadAfter(call(labelsRemove, { params: { promptId, label }, query: { rev } }));

export const discardDraft = (promptId: string, rev: number) =>
  reloadAfter(call(draftsDelete, { params: { promptId }, query: { rev } }));

/** Replaces the example values of a prompt; without values, it has none afterwards. */
export const saveExamples = (promptId: string, values: JsonObject) =>
  reloadAfter(call(examplesSave, { params: { promptId }, body: { values } }));

/** Reads a prompt on the screen again when calls that fail with what they get now are counted, on a laptop and on AWS. */
const lookAgain = (promptId: string): void => {
  for (const ms of [10_000, 120_000])
    setTimeout(
      () => void queryClient.refetchQueries({ queryKey: promptQuery(promptId).queryKey, exact: true }),
      ms,
    );
};

/**
 * Reverts a move of a label if it still points to `version`; returns the resulting state as text, with who still gets
 * `version`.
 */
const undoMove = async (promptId: string, label: string, version: string, earlier: string) => {
  const { latest } = (await setLabel(promptId, label, earlier, version)).prompt;
  const others = latest === version ? ` Callers that ask for the latest version still get ${version}.` : '';
  return `${label} serves ${earlier} again.${others}`;
};

/**
 * Points a label to a version and shows it, with an undo button if it pointed to another one that was not bad.
 * @param current the version that it points to now; undefined for a new label
 * @param isBack whether it goes back from a bad version
 */
export const moveLabel = async (
  promptId: string,
  label: string,
  version: string,
  current: string | undefined,
  isBack: boolean,
): Promise<void> => {
  if (current !== undefined && isBack) return notifyDone(await undoMove(promptId, label, current, version));
  await setLabel(promptId, label, version, current ?? 'none');
  lookAgain(promptId);
  notifyDone(
    `${label} now serves ${version}.`,
    current === undefined ? undefined : () => undoMove(promptId, label, version, current),
    `Back to ${current}`,
  );
};

/**
 * Publishes a version and shows it, with a button that points its label back if it served another version. Returns the
 * version.
 * @param before the prompt before the change
 * @param label the label to point to the version; undefined for none
 */
export const publish = async (
  { promptId, rev, labels }: Prompt,
  label: string | undefined,
  content: Omit<Parameters<typeof publishVersion>[1], 'label' | 'rev'>,
): Promise<string> => {
  const pointed = label?.trim();
  const { version } = await publishVersion(promptId, { ...content, label: pointed, rev });
  const earlier = labels.find((entry) => entry.label === pointed)?.version;
  notifyDone(
    `Version ${version} is published${pointed ? `, and ${pointed} serves it` : ''}.`,
    pointed && earlier ? () => undoMove(promptId, pointed, version, earlier) : undefined,
    `Back to ${earlier}`,
  );
  return version;
};

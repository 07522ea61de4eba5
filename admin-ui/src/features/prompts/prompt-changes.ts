import { labelsRemove, labelsSet } from '../../../../contract/endpoints/labels.ts';
import { examplesSave } from '../../../../contract/endpoints/prompts/examples-save.ts';
import { promptsCreate } from '../../../../contract/endpoints/prompts/prompts-create.ts';
import { promptsDelete } from '../../../../contract/endpoints/prompts/prompts-delete.ts';
import { promptsGet } from '../../../../contract/endpoints/prompts/prompts-get.ts';
import { promptsRestore } from '../../../../contract/endpoints/prompts/prompts-restore.ts';
import {
  draftsDelete,
  versionsDelete,
  versionsGet,
  versionsPublish,
} from '../../../../contract/endpoints/versions.ts';
import type { JsonObject } from '../../../../contract/fields/fields.ts';
import { type CallInput, call } from '../../api/client.ts';
import { changesOf } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { changeSeveral, type Kind } from '../../components/several.ts';
import { forgetVersions, PROMPTS_KEY, type PromptRow, type Version } from './prompt-queries.ts';

const changing = changesOf(PROMPTS_KEY);

export const createPrompt = (body: NonNullable<CallInput<typeof promptsCreate>['body']>) =>
  changing(call(promptsCreate, { body }));

/** Publishes a version, and points `label` to it in the same step if one is given. */
export const publishVersion = (
  promptId: string,
  body: NonNullable<CallInput<typeof versionsPublish>['body']>,
) => changing(call(versionsPublish, { params: { promptId }, body }));

/** The screen is about to be left, so its data is not read again; the cached data of the prompt is removed. */
export const deletePrompt = async (promptId: string, confirm: boolean): Promise<void> => {
  try {
    await call(promptsDelete, { params: { promptId }, query: confirm ? { confirm } : {} });
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: PROMPTS_KEY });
    throw error;
  }
  void queryClient.invalidateQueries({ queryKey: PROMPTS_KEY, refetchType: 'none' });
  queryClient.removeQueries({ queryKey: [...PROMPTS_KEY, promptId] });
  forgetVersions(promptId);
};

export const restorePrompt = (promptId: string) => changing(call(promptsRestore, { params: { promptId } }));

export const deleteVersion = async (promptId: string, version: string, confirm: boolean): Promise<void> => {
  const params = { promptId, version };
  await changing(call(versionsDelete, { params, query: confirm ? { confirm } : {} }));
  forgetVersions(promptId, version);
};

/** Points a label to a version, if it still points to `expected` (`none`: if it is new). */
export const setLabel = (promptId: string, label: string, version: string, expected: string) =>
  changing(call(labelsSet, { params: { promptId, label }, body: { version, expected } }));

export const removeLabel = (promptId: string, label: string, rev: number) =>
  changing(call(labelsRemove, { params: { promptId, label }, query: { rev } }));

export const discardDraft = (promptId: string, rev: number) =>
  changing(call(draftsDelete, { params: { promptId }, query: { rev } }));

/** Replaces the example values of a prompt; without values, it has none afterwards. */
export const saveExamples = (promptId: string, values: JsonObject) =>
  changing(call(examplesSave, { params: { promptId }, body: { values } }));

const KIND: Kind<PromptRow> = { one: 'prompt', nameOf: ({ name }) => name };

/**
 * Publishes a patch version of each prompt that differs from the latest in its tags only. `contentWith` returns the
 * content of a version with other tags. Errors: those of `changeSeveral`.
 */
export const publishWithTags = (
  prompts: readonly PromptRow[],
  contentWith: (
    latest: Version,
  ) => Omit<NonNullable<CallInput<typeof versionsPublish>['body']>, 'bump' | 'rev'>,
) =>
  changeSeveral(KIND, prompts, async ({ promptId }) => {
    // As it is now: the list may be old, and trying again must not fail for the same reason.
    const { rev, latest } = (await call(promptsGet, { params: { promptId } })).prompt;
    const { version } = await call(versionsGet, { params: { promptId, version: latest } });
    await publishVersion(promptId, { ...contentWith(version), bump: 'patch', rev });
  });

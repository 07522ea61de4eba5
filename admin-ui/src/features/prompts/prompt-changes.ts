import { draftsDelete } from '../../../../contract/endpoints/prompts/drafts-delete.ts';
import { labelsRemove } from '../../../../contract/endpoints/prompts/labels-remove.ts';
import { labelsSet } from '../../../../contract/endpoints/prompts/labels-set.ts';
import { promptsCreate } from '../../../../contract/endpoints/prompts/prompts-create.ts';
import { promptsDelete } from '../../../../contract/endpoints/prompts/prompts-delete.ts';
import { promptsRestore } from '../../../../contract/endpoints/prompts/prompts-restore.ts';
import { versionsDelete } from '../../../../contract/endpoints/prompts/versions-delete.ts';
import { versionsPublish } from '../../../../contract/endpoints/prompts/versions-publish.ts';
import { type CallInput, call } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { forgetVersions, PROMPTS_KEY } from './prompt-queries.ts';

// Each change is followed by reading anew what is on the screen. A refusal too: it may well be due to what is old.
const changing = async <Reply>(reply: Promise<Reply>): Promise<Reply> => {
  try {
    return await reply;
  } finally {
    void queryClient.invalidateQueries({ queryKey: PROMPTS_KEY });
  }
};

export const createPrompt = (body: NonNullable<CallInput<typeof promptsCreate>['body']>) =>
  changing(call(promptsCreate, { body }));

export const publishVersion = (
  promptId: string,
  body: NonNullable<CallInput<typeof versionsPublish>['body']>,
) => changing(call(versionsPublish, { params: { promptId }, body }));

/** What is on the screen is not read again: it is about to be left, and what was read of the prompt is forgotten. */
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
  await changing(call(versionsDelete, { params: { promptId, version }, query: confirm ? { confirm } : {} }));
  forgetVersions(promptId, version);
};

/** Points a label to a version, if it still points to `expected` (`none`: if it is new). */
export const setLabel = (promptId: string, label: string, version: string, expected: string) =>
  changing(call(labelsSet, { params: { promptId, label }, body: { version, expected } }));

export const removeLabel = (promptId: string, label: string, rev: number) =>
  changing(call(labelsRemove, { params: { promptId, label }, query: { rev } }));

export const discardDraft = (promptId: string, rev: number) =>
  changing(call(draftsDelete, { params: { promptId }, query: { rev } }));

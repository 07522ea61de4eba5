import { labelsRemove, labelsSet } from '../../../../contract/endpoints/labels.ts';
import {
  examplesSave,
  promptsCreate,
  promptsDelete,
  promptsRestore,
} from '../../../../contract/endpoints/prompts.ts';
import { draftsDelete, versionsDelete, versionsPublish } from '../../../../contract/endpoints/versions.ts';
import type { JsonObject } from '../../../../contract/fields/fields.ts';
import { type CallInput, call } from '../../api/client.ts';
import { reloaderOf } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { notifyDone } from '../../components/dialogs/notify.tsx';
import { forgetVersions, PROMPTS_KEY, type Prompt, promptQuery } from './prompt-queries.ts';

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

export const restorePrompt = (promptId: string) =>
  reloadAfter(call(promptsRestore, { params: { promptId } }));

export const deleteVersion = async (promptId: string, version: string, confirm: boolean): Promise<void> => {
  const params = { promptId, version };
  await reloadAfter(call(versionsDelete, { params, query: confirm ? { confirm } : {} }));
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
  const live = pointed === undefined ? {} : { label: pointed };
  const { version } = await publishVersion(promptId, { ...content, ...live, rev });
  const earlier = labels.find((entry) => entry.label === pointed)?.version;
  notifyDone(
    `Version ${version} is published${pointed ? `, and ${pointed} serves it` : ''}.`,
    pointed && earlier ? () => undoMove(promptId, pointed, version, earlier) : undefined,
    `Back to ${earlier}`,
  );
  return version;
};

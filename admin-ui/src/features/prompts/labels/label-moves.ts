import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { setLabel } from '../prompt-changes.ts';
import type { Prompt } from '../prompt-queries.ts';

/**
 * Reverts a move of a label if it still points to `version`; returns the resulting state as text, with who still gets
 * `version`.
 */
const undoMove = async (
  promptId: string,
  label: string,
  version: string,
  earlier: string,
): Promise<string> => {
  const { latest } = (await setLabel(promptId, label, earlier, version)).prompt;
  const others = latest === version ? ` Callers that ask for the latest version still get ${version}.` : '';
  return `${label} serves ${earlier} again.${others}`;
};

/**
 * Points a label to a version and shows it, with an undo button if it pointed to another one.
 * @param current the version that it points to now; undefined for a new label
 */
export const moveLabel = async (
  promptId: string,
  label: string,
  version: string,
  current: string | undefined,
): Promise<void> => {
  await setLabel(promptId, label, version, current ?? 'none');
  notifyDone(
    `${label} now serves ${version}.`,
    current === undefined ? undefined : () => undoMove(promptId, label, version, current),
    `Back to ${current}`,
  );
};

/**
 * Shows that a version is published, with a button that points its label back if it served another version.
 * @param before the prompt before the change
 * @param label the label that now points to the version; undefined for none
 */
export const notifyPublished = (before: Prompt, version: string, label: string | undefined): void => {
  const earlier = before.labels.find((entry) => entry.label === label)?.version;
  const undo = label && earlier ? () => undoMove(before.promptId, label, version, earlier) : undefined;
  notifyDone(
    `Version ${version} is published${label ? `, and ${label} serves it` : ''}.`,
    undo,
    `Back to ${earlier}`,
  );
};

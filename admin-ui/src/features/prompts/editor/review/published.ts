import { notifyDone } from '../../../../components/dialogs/notify.tsx';
import { undoMove } from '../../labels/label-moves.ts';
import type { Prompt } from '../../prompt-queries.ts';

/**
 * Shows that a version is published, with a button that points its label back if it served another version.
 * @param before the prompt before the change
 * @param label the label that now points to the version; undefined for none
 */
export const notifyPublished = (before: Prompt, version: string, label: string | undefined): void => {
  const earlier = before.labels.find((entry) => entry.label === label)?.version;
  const undo = label && earlier ? () => undoMove(before.promptId, label, version, earlier) : undefined;
  notifyDone(`Version ${version} is published${label ? `, and ${label} serves it` : ''}.`, undo);
};

import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { setLabel } from '../prompt-changes.ts';

/** Reverts a move of a label if it still points to `version`; returns the resulting state as text. */
export const undoMove = async (
  promptId: string,
  label: string,
  version: string,
  earlier: string,
): Promise<string> => {
  await setLabel(promptId, label, earlier, version);
  return `${label} serves ${earlier} again.`;
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
  );
};

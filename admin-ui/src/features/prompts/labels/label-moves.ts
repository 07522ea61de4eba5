import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { setLabel } from '../prompt-changes.ts';

/** Takes a move of a label back, if the label still serves `version`; returns what is now the case. */
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
 * Points a label to a version and says so, with a way back where it served another one.
 * @param current the version that it serves now; undefined for a new label
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

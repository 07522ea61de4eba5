import { queryClient } from '../../../api/query-client.ts';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { publishVersion, setLabel } from '../prompt-changes.ts';
import { type Prompt, promptQuery } from '../prompt-queries.ts';

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

/** Points a label back from a bad version, and shows it. */
export const moveBack = async (
  promptId: string,
  label: string,
  version: string,
  bad: string,
): Promise<void> => notifyDone(await undoMove(promptId, label, bad, version));

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
  lookAgain(promptId);
  notifyDone(
    `${label} now serves ${version}.`,
    current === undefined ? undefined : () => undoMove(promptId, label, version, current),
    `Back to ${current}`,
  );
};

type Publication = Omit<Parameters<typeof publishVersion>[1], 'label' | 'rev'>;

/**
 * Publishes a version and shows it, with a button that points its label back if it served another version. Returns the
 * version.
 * @param before the prompt before the change
 * @param label the label to point to the version; undefined for none
 */
export const publish = async (
  { promptId, rev, labels }: Prompt,
  label: string | undefined,
  content: Publication,
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

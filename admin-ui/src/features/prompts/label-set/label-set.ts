import type { ResultOf } from '../../../../../contract/documentation.ts';
import { compareVersions } from '../../../../../contract/versions.ts';
import { LATEST } from '../labels/label-names.ts';

/** What a set does: in each of its prompts, `target` gets the version of `source`. */
export interface Rule {
  /** A label, or `latest` for the latest version. */
  readonly source: string;
  readonly target: string;
}

/** Moves a label of a prompt; null: the prompt does not have it. */
export type LabelMove = Readonly<
  Record<'promptId' | 'name' | 'label', string> & Record<'from' | 'to', string | null>
>;

/** The fields of a prompt that the rules depend on. */
export type LabelledPrompt = Pick<
  ResultOf<'prompts-get'>['prompt'],
  'promptId' | 'name' | 'latest' | 'labels'
>;

const servedBy = ({ latest, labels }: LabelledPrompt, label: string): string | null =>
  label === LATEST ? latest : (labels.find((entry) => entry.label === label)?.version ?? null);

/** The moves of a rule: only of prompts that have the source, and whose target is elsewhere. */
export const movesOf = (prompts: readonly LabelledPrompt[], { source, target }: Rule): LabelMove[] =>
  prompts.flatMap((prompt) => {
    const from = servedBy(prompt, target);
    const to = servedBy(prompt, source);
    const { promptId, name } = prompt;
    return to === null || to === from ? [] : [{ promptId, name, label: target, from, to }];
  });

/** Whether a move goes to a lower version. */
export const isDowngrade = ({ from, to }: LabelMove): boolean =>
  from !== null && to !== null && compareVersions(to, from) < 0;

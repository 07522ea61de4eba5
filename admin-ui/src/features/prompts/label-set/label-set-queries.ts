import { queryOptions } from '@tanstack/react-query';
import { labelsMove } from '../../../../../contract/endpoints/labels.ts';
import { promptsGet, promptsList } from '../../../../../contract/endpoints/prompts.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { isRefusal } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { pagesFrom, reloaderOf } from '../../../api/queries.ts';
import { counted } from '../../../components/count.ts';
import { notifyDone } from '../../../components/dialogs/notify.tsx';
import { LATEST } from '../labels/label-names.ts';
import { PROMPTS_KEY } from '../prompt-queries.ts';
import { type LabelledPrompt, type LabelMove, movesOf, type Rule } from './label-set.ts';

/** Which prompts a set is made of. */
export interface SetQuery extends Rule {
  /** Ids of the selected prompts; otherwise those of the folder, or all. */
  readonly prompts?: readonly string[] | undefined;
  readonly folder?: string | undefined;
}

const readPrompt = async (promptId: string, signal: AbortSignal): Promise<LabelledPrompt[]> => {
  try {
    return [(await call(promptsGet, { params: { promptId }, signal })).prompt];
  } catch (error) {
    if (isRefusal(error, 'prompt_not_found')) return [];
    throw error;
  }
};

/** The prompts that a set moves a label of, by name, read until there are more than one set can have. */
export const candidatesQuery = ({ prompts, folder, ...rule }: SetQuery) =>
  queryOptions({
    queryKey: [...PROMPTS_KEY, 'label-set', { prompts, folder, ...rule }],
    queryFn: async ({ signal }): Promise<LabelledPrompt[]> => {
      const isIn = (prompt: LabelledPrompt) => movesOf([prompt], rule).length > 0;
      if (prompts)
        return (await Promise.all(prompts.map((id) => readPrompt(id, signal)))).flat().filter(isIn);
      const label = rule.source === LATEST ? {} : { label: rule.source };
      const query = { ...(folder && { folder }), ...label };
      const found: LabelledPrompt[] = [];
      for await (const page of pagesFrom(promptsList, { query, signal })) {
        found.push(...page.prompts.filter(isIn));
        if (found.length > LIMITS.labelMoves) break;
      }
      return found;
    },
  });

const moveLabels = async (moves: readonly LabelMove[]): Promise<boolean> => {
  const body = { moves: moves.map(({ promptId: _, ...move }) => move) };
  return (await reloaderOf(PROMPTS_KEY)(call(labelsMove, { body }))).moved;
};

/** Moves the labels in one step and says so, with a button that undoes all of it. */
export const applyMoves = async (moves: readonly LabelMove[]): Promise<void> => {
  if (!(await moveLabels(moves))) return notifyDone('Every label was already there.');
  const undo = async () => {
    await moveLabels(moves.map((move) => ({ ...move, from: move.to, to: move.from })));
    return 'Undone: the labels are as they were before.';
  };
  notifyDone(`${counted(moves.length, 'label')} moved in one step.`, undo, 'Undo all');
};

import { labelsMove } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { breakingMoves, moveLabels } from '../../store/prompts/label-sets.ts';

export const handler = changeEndpoint(labelsMove, async ({ table, body: { moves, dryRun }, change }) => {
  const outcome = await moveLabels(table, change, moves, { dryRun });
  return dryRun === true ? { ...outcome, breaking: await breakingMoves(table, moves) } : outcome;
});

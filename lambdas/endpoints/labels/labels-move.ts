import { labelsMove } from '../../../contract/endpoints/labels/labels-move.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { breakingMoves, moveLabels } from '../../store/prompts/label-sets.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Moves labels of several prompts, or says what that would break. */
export const handler = operatorEndpoint(labelsMove, async ({ body: { moves, dryRun }, change }) => {
  const outcome = await moveLabels(table, change, moves, { dryRun });
  return dryRun === true ? { ...outcome, breaking: await breakingMoves(table, moves) } : outcome;
});

import { labelsMove } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { moveLabels } from '../../store/prompts/label-sets.ts';

export const handler = changeEndpoint(labelsMove, ({ table, body: { moves, dryRun }, change }) =>
  moveLabels(table, change, moves, { dryRun }),
);

import { labelsRemove } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { removeLabel } from '../../store/prompts/labels.ts';

export const handler = changeEndpoint(labelsRemove, async ({ table, params, query, change }) => ({
  prompt: promptOf(await removeLabel(table, change, params.promptId, params.label, query)),
}));

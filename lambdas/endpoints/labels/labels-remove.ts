import { labelsRemove } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { setLabel } from '../../store/prompts/labels.ts';

export const handler = changeEndpoint(labelsRemove, async ({ table, params, query, change }) => ({
  prompt: promptOf(await setLabel(table, change, params.promptId, params.label, null, query)),
}));

import { labelsRemove } from '../../../contract/endpoints/labels/labels-remove.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { removeLabel } from '../../store/prompts/labels.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Removes a label. */
export const handler = operatorEndpoint(labelsRemove, async ({ params, query, change }) => ({
  prompt: promptOf(await removeLabel(table, change, params.promptId, params.label, query)),
}));

import { labelsSet } from '../../../contract/endpoints/labels/labels-set.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { setLabel } from '../../store/prompts/labels.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Points a label to a version. */
export const handler = operatorEndpoint(labelsSet, async ({ params: { promptId, label }, body, change }) => {
  const { version, rev } = body;
  const expected = body.expected === 'none' ? null : body.expected;
  return { prompt: promptOf(await setLabel(table, change, promptId, label, version, { expected, rev })) };
});

import { labelsSet } from '../../../contract/endpoints/labels.ts';
import { changeEndpoint } from '../../http/change-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { setLabel } from '../../store/prompts/labels.ts';

export const handler = changeEndpoint(
  labelsSet,
  async ({ table, params: { promptId, label }, body, change }) => {
    const { version, rev } = body;
    const expected = body.expected === 'none' ? null : body.expected;
    return { prompt: promptOf(await setLabel(table, change, promptId, label, version, { expected, rev })) };
  },
);

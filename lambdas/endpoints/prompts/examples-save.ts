import { examplesSave } from '../../../contract/endpoints/prompts.ts';
import { readEndpoint } from '../../http/read-endpoint.ts';
import { saveExamples } from '../../store/prompts/examples.ts';

export const handler = readEndpoint(examplesSave, async ({ table, params: { promptId }, body, change }) => ({
  examples: (await saveExamples(table, change, promptId, body.values)) ?? null,
}));

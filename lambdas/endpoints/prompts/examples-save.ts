import { examplesSave } from '../../../contract/endpoints/prompts/examples-save.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { saveExamples } from '../../store/prompts/examples.ts';
import { connectTable } from '../../store/table.ts';

const table = connectTable();

/** Saves the example values of a prompt. */
export const handler = operatorEndpoint(examplesSave, async ({ params: { promptId }, body, change }) => ({
  examples: (await saveExamples(table, change, promptId, body.values)) ?? null,
}));

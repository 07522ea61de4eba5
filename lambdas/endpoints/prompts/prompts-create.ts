import { promptsCreate } from '../../../contract/endpoints/prompts/prompts-create.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { contentOf, promptOf } from '../../http/serializers.ts';
import { createPrompt } from '../../store/prompts/lifecycle.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Creates a prompt with its first version. */
export const handler = operatorEndpoint(promptsCreate, async ({ body, change }) => {
  const { name, version, label } = body;
  return {
    prompt: promptOf(await createPrompt(table, change, { ...contentOf(body), name, version, label })),
  };
});

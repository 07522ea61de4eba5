import { promptsCreate } from '../../../contract/endpoints/prompts/prompts-create.ts';
import { storedContent } from '../../core/prompts/contents.ts';
import { operatorEndpoint } from '../../http/operator-endpoint.ts';
import { promptOf } from '../../http/serializers/prompts.ts';
import { withFragments } from '../../store/prompts/fragments.ts';
import { createPrompt } from '../../store/prompts/lifecycle.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Creates a prompt with its first version. */
export const handler = operatorEndpoint(promptsCreate, async ({ body, change }) => {
  const { name, version, label } = body;
  const content = await withFragments(table, storedContent(body));
  return { prompt: promptOf(await createPrompt(table, change, { ...content, name, version, label })) };
});

import { promptPublish } from '../../../contract/endpoints/publishing/prompt-publish.ts';
import { requirePublishable } from '../../core/api-keys/rules.ts';
import { storedContent } from '../../core/prompts/prompts.ts';
import { changeOf, keyEndpoint } from '../../http/key-endpoint.ts';
import { pushPrompt } from '../../store/prompts/pushing.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

/** Publishes a prompt from code. */
export const handler = keyEndpoint(promptPublish, table, async ({ body, admitted, ...request }) => {
  const { note, content, ...input } = body;
  const [apiKey] = await admitted(Promise.resolve());
  requirePublishable(apiKey, [input.name]);
  return pushPrompt(table, changeOf(request, apiKey), {
    ...input,
    content: storedContent({ ...content, note }),
  });
});

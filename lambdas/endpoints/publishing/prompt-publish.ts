import { promptPublish } from '../../../contract/endpoints/publishing.ts';
import { requireIncludable, requirePublishable, requireWriting } from '../../core/api-keys/publishing.ts';
import { hintFor, storedContent } from '../../core/prompts/contents.ts';
import { publishingEndpoint } from '../../http/publishing-endpoint.ts';
import { pushPrompt } from '../../store/prompts/push.ts';
import { connectSigningTable } from '../../store/signing/kms.ts';

const table = connectSigningTable();

export const handler = publishingEndpoint(promptPublish, table, async ({ body, apiKey, change }) => {
  const { note, content, ...input } = body;
  requireWriting(apiKey, input);
  requirePublishable(apiKey, [input.name]);
  const pushed = await pushPrompt(table, change, {
    ...input,
    creator: apiKey,
    content: storedContent({ ...content, note }),
    allow: (included) => requireIncludable(apiKey, included),
  });
  return { ...pushed, ...hintFor(content) };
});

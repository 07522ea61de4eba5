import { promptSource } from '../../../contract/endpoints/publishing.ts';
import { requirePublishable } from '../../core/api-keys/publishing.ts';
import { authoredContent, hashOf } from '../../core/prompts/contents.ts';
import { publishingEndpoint } from '../../http/publishing-endpoint.ts';
import { connectHotTable } from '../../store/batched-reads.ts';
import { exportLatest } from '../../store/prompts/listing.ts';

const table = connectHotTable();

/** Returns the latest contents of prompts as their authors wrote them. */
export const handler = publishingEndpoint(promptSource, table, async ({ body, apiKey, change }) => {
  requirePublishable(apiKey, body.names);
  const found = await exportLatest(table, change, body.names);
  return {
    prompts: found.map(({ name, version }) => ({
      name,
      version: version.version,
      contentHash: hashOf(version),
      note: version.note,
      content: authoredContent(version),
    })),
  };
});

import { promptSource } from '../../../contract/endpoints/publishing/prompt-source.ts';
import { requirePublishable } from '../../core/api-keys/rules.ts';
import { authoredContent, hashOf } from '../../core/prompts/prompts.ts';
import { changeOf, keyEndpoint } from '../../http/key-endpoint.ts';
import { connectHotTable } from '../../store/hot-table.ts';
import { exportLatest } from '../../store/prompts/listing.ts';

const table = connectHotTable();

/** Returns the latest contents of prompts as their authors wrote them. */
export const handler = keyEndpoint(promptSource, table, async ({ body, admitted, ...request }) => {
  const [apiKey] = await admitted(Promise.resolve());
  requirePublishable(apiKey, body.names);
  const found = await exportLatest(table, changeOf(request, apiKey), body.names);
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
